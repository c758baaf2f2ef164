package aliyun

import (
	"context"
	"net/url"
	"strings"
)

// balance asks for the account's money: QueryAccountBalance of BssOpenApi 2017-12-14 (help.aliyun.com/document_detail/472991.html,
// November 2026). Packages of messages, which are paid for already, are not in it, and this API does not tell them.
func (e *examination) balance(ctx context.Context) {
	const what = "balance"
	var r struct {
		head
		Data struct{ AvailableAmount, Currency string }
	}
	to := billing(*e.g.endpoint)
	switch code := e.ask(ctx, question{what, "QueryAccountBalance", "2017-12-14", nil, to, "bss:DescribeAcccount (so the vendor spells it)"}, &r); code {
	case "":
	case "200", "Success":
		e.Balance(r.Data.AvailableAmount, r.Data.Currency, "packages of messages are not in it", false)
	case "NotApplicable": // an account of the vendor's other site
		e.Doubtful(what, "the carrier does not tell it of this account", "look at the carrier's console")
	default:
		e.Unsaid(what, code)
	}
}

// billing returns where the balance is asked: the vendor's site for China, or that for everybody else (the vendor's SDK for
// bssopenapi, November 2026). What is none of its hosts plays all of it.
func billing(endpoint url.URL) url.URL {
	switch host := endpoint.Hostname(); {
	case host == DefaultEndpoint, strings.HasPrefix(host, "dysmsapi.cn-") && strings.HasSuffix(host, ".aliyuncs.com"):
		endpoint.Host = "business.aliyuncs.com"
	case strings.HasSuffix(host, ".aliyuncs.com"):
		endpoint.Host = "business.ap-southeast-1.aliyuncs.com"
	}
	return endpoint
}
