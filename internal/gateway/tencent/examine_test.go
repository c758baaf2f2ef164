package tencent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/tencent"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/secret"
)

// account has all that examined templates need.
func account() tencentfake.Account {
	return tencentfake.Account{
		Templates: map[uint64]tencentfake.Template{
			1110: {Content: "您的验证码是{1}，{2}分钟内有效。{1}"},
			1111: {International: true, Content: "{1} is your code."},
		},
		Packages: []tencentfake.Package{{Amount: 10000, Used: 100}, {Amount: 5000, Expires: time.Unix(1, 0)}},
	}
}

var two = []gateway.Template{
	{Code: "1110", Params: []gateway.Param{{Name: "code"}, {Name: "minutes"}}},
	{Code: "1111", Sign: "Acme", Params: []gateway.Param{{Name: "code"}}},
}

// examine returns the findings of a handler's account.
func examine(t *testing.T, c tencent.Config, handler http.Handler, templates []gateway.Template) string {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	c.Endpoint, c.Sign = server.URL, "示例科技"
	return lines(t, open(t, c).Examine(t.Context(), templates))
}

func lines(t *testing.T, all []gateway.Finding) string {
	t.Helper()
	return gatewaytest.Findings(t, all, id.Reveal(), hidden.Reveal(), "13800138000", "Credential")
}

func vendor(a tencentfake.Account) *tencentfake.Fake {
	return &tencentfake.Fake{SecretID: id, SecretKey: hidden, Account: a}
}

var begun = gatewaytest.Begun()

// unasked are the lines of the signatures, which nobody can ask about.
var unasked = []string{
	"doubtful signature 示例科技: it can't be asked: this carrier tells signatures by a number alone",
	"doubtful signature Acme: it can't be asked: this carrier tells signatures by a number alone",
}

func all(parts ...[]string) []string {
	var lines []string
	for _, p := range parts {
		lines = append(lines, p...)
	}
	return lines
}

func TestExamineGood(t *testing.T) {
	t.Parallel()
	gatewaytest.WantFindings(t, examine(t, tencent.Config{}, vendor(account()), two),
		all(begun, []string{"good template 1110: approved", "good template 1111: approved"}, unasked, []string{"good packages: 9900 messages are left"})...)
}

// What the account lacks, one thing at a time: the line that is other than that of a good one.
func TestExamineAccount(t *testing.T) {
	t.Parallel()
	template := func(te tencentfake.Template) func(*tencentfake.Account) {
		return func(a *tencentfake.Account) { a.Templates[1110] = te }
	}
	refuses := func(action, code string) func(*tencentfake.Account) {
		return func(a *tencentfake.Account) { a.Refuses = map[string]string{action: code} }
	}
	for name, c := range map[string]struct {
		change func(*tencentfake.Account)
		want   string
		good   int
	}{
		"no template":       {func(a *tencentfake.Account) { delete(a.Templates, 1110) }, "bad template 1110: the account has none of that number", 5},
		"pending":           {template(tencentfake.Template{Status: 1}), "bad template 1110: not approved yet: the carrier is looking at it", 5},
		"rejected":          {template(tencentfake.Template{Status: -1, Reason: "含敏感词 13800138000"}), "bad template 1110: rejected: 含敏感词 ***", 5},
		"not in force":      {template(tencentfake.Template{Status: 2}), "bad template 1110: approved, and not in force yet", 5},
		"status unknown":    {template(tencentfake.Template{Status: 7}), "doubtful template 1110: the carrier does not say whether it is approved", 5},
		"text unknown":      {template(tencentfake.Template{}), "good template 1110: approved; the carrier does not tell its text", 6},
		"other places":      {template(tencentfake.Template{Content: "{1} {1}"}), "bad template 1110: it has places for 1 value, and 2 values would be sent", 5},
		"few left":          {func(a *tencentfake.Account) { a.Packages[0].Used = 9001 }, "doubtful packages: 999 messages are left", 5},
		"none left":         {func(a *tencentfake.Account) { a.Packages = a.Packages[1:] }, "doubtful packages: no message is left in them", 5},
		"may not ask":       {refuses("DescribeSmsTemplateList", "AuthFailure.UnauthorizedOperation"), "doubtful templates: the key may not ask: AuthFailure.UnauthorizedOperation", 4},
		"a person":          {refuses("DescribeSmsTemplateList", "FailedOperation.NotEnterpriseCertification"), "doubtful templates: the key may not ask: FailedOperation.NotEnterpriseCertification", 4},
		"no such templates": {refuses("DescribeSmsTemplateList", "FailedOperation.TemplateIdNotExist"), "bad template 1111: the account has none of that number", 4},
		"a new code":        {refuses("DescribeSmsTemplateList", "FailedOperation.Weather"), "doubtful templates: the carrier does not say: FailedOperation.Weather", 4},
		"too many":          {refuses("DescribeSmsTemplateList", "RequestLimitExceeded"), "doubtful templates: the carrier does not say now: RequestLimitExceeded", 4},
		"other application": {refuses("SmsPackagesStatistics", "UnauthorizedOperation.SmsSdkAppIdVerifyFail"), "bad application: the carrier says UnauthorizedOperation.SmsSdkAppIdVerifyFail", 5},
		"not sold here":     {refuses("SmsPackagesStatistics", "InvalidAction"), "doubtful packages: the carrier does not say: InvalidAction", 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := account()
			c.change(&a)
			gatewaytest.WantFinding(t, examine(t, tencent.Config{}, vendor(a), two), c.want, c.good)
		})
	}
}

// Who is not let in is told so, once, and nothing else is asked.
func TestExamineRefused(t *testing.T) {
	t.Parallel()
	for want, fake := range map[string]*tencentfake.Fake{
		"bad credentials: the carrier says AuthFailure.SignatureFailure": {SecretID: id, SecretKey: secret.New("another"), Account: account()},
		"bad credentials: the carrier says AuthFailure.SecretIdNotFound": {SecretID: secret.New("another"), SecretKey: hidden, Account: account()},
		"bad credentials: the carrier says UnauthorizedOperation.RequestIpNotInWhitelist": {SecretID: id, SecretKey: hidden, Account: tencentfake.Account{
			Refuses: map[string]string{"DescribeSmsTemplateList": "UnauthorizedOperation.RequestIpNotInWhitelist"},
		}},
	} {
		gatewaytest.WantFindings(t, examine(t, tencent.Config{}, fake, two), begun[0], begun[1], want)
	}
}

// The clock may be off by five minutes here, and by no more.
func TestExamineClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	fake := vendor(account())
	fake.Now = func() time.Time { return now }
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now.Format(http.TimeFormat))
		fake.ServeHTTP(w, r)
	})
	got := examine(t, tencent.Config{Now: func() time.Time { return now.Add(-6 * time.Minute) }}, handler, two)
	gatewaytest.WantFindings(t, got, begun[0], "bad clock: it is 360 s behind the carrier's; more than 5 minutes it refuses",
		"bad clock: the carrier refuses the time of the call: AuthFailure.SignatureExpire")
	got = examine(t, tencent.Config{Now: func() time.Time { return now.Add(4 * time.Minute) }}, handler, two)
	gatewaytest.WantFinding(t, got, "doubtful clock: it is 240 s ahead of the carrier's", 5)
}

// What is not the carrier, and what the settings lack.
func TestExamineNobodyThere(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"<html>", "{}", `{"Response": {}}`, `{"Response": []}`, `{"Response": {"RequestId": "a", "DescribeTemplateStatusSet": 7}}`} {
		page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answer) })
		gatewaytest.WantFindings(t, examine(t, tencent.Config{}, page, two), begun[0], begun[1], "bad answer: the answer is not one of the carrier's, status 200")
	}
	gatewaytest.WantFindings(t, examine(t, tencent.Config{}, http.NotFoundHandler(), two), begun[0], begun[1], "bad answer: the answer is not one of the carrier's, status 404")
	down := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	gatewaytest.WantFinding(t, examine(t, tencent.Config{}, down, two), "doubtful templates: the carrier does not say now, status 502", 2)
}

func TestExamineSettings(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(vendor(account()))
	defer server.Close()
	gatewaytest.WantFindings(t, lines(t, open(t, tencent.Config{Endpoint: server.URL}).Examine(t.Context(), nil)),
		all([]string{"bad template: there is none, and this carrier sends only texts that it has approved"}, begun, []string{"good packages: 9900 messages are left"})...)
	got := lines(t, open(t, tencent.Config{Endpoint: server.URL, Template: "1111"}).Examine(t.Context(), []gateway.Template{{Code: "SMS_1"}}))
	gatewaytest.WantFindings(t, got, all([]string{"bad template SMS_1: it is no number, as this carrier's are"}, begun, []string{"good template 1111: approved",
		"doubtful signature: there is none for templates that name none; messages to the mainland need one", "good packages: 9900 messages are left"})...)
}
