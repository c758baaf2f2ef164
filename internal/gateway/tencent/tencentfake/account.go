package tencentfake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// Account is what the vendor tells of an account to whoever asks. The zero Account has nothing.
type Account struct {
	// Templates are those of the account, by id.
	Templates map[uint64]Template
	// Packages are the messages that are paid for.
	Packages []Package
	// Refuses are the codes with which an action is refused, by the action's name.
	Refuses map[string]string
}

// Template is a template. Its Status is 0 approved, 1 in review, 2 approved and not in force yet, -1 rejected.
type Template struct {
	International   bool
	Status          int
	Reason, Content string
}

// Package is a package of messages, good from a day ago until it Expires; zero: in a year.
type Package struct {
	Amount, Used int
	Expires      time.Time
}

// actions are those that there are.
var actions = map[string]bool{"SendSms": true, "DescribeSmsTemplateList": true, "SmsPackagesStatistics": true}

// asked answers a question; false: r is none. Whoever asks is known.
func (f *Fake) asked(w http.ResponseWriter, r *http.Request, body []byte) bool {
	action := r.Header.Get("X-TC-Action")
	if action == "SendSms" {
		return false
	}
	if code := f.Account.Refuses[action]; code != "" {
		f.write(w, "Error", map[string]string{"Code": code, "Message": fmt.Sprintf("%s, of %s with %s", code, body, r.Header.Get("Authorization"))})
		return true
	}
	switch action {
	case "DescribeSmsTemplateList":
		f.write(w, "DescribeTemplateStatusSet", f.Account.templates(body))
	case "SmsPackagesStatistics":
		f.packages(w, body)
	}
	return true
}

func (a Account) templates(body []byte) []map[string]any {
	var q struct {
		International int
		TemplateIdSet []uint64
	}
	_ = json.Unmarshal(body, &q) // what can't be read asks for nothing
	all := []map[string]any{}
	for _, id := range q.TemplateIdSet {
		t, found := a.Templates[id]
		if found && t.International == (q.International == 1) {
			all = append(all, map[string]any{
				"TemplateId": id, "International": q.International, "StatusCode": t.Status, "ReviewReply": t.Reason,
				"TemplateName": "验证码", "CreateTime": 1617379200, "TemplateContent": t.Content,
			})
		}
	}
	return all
}

// packages wants a span that is over, as the vendor does.
func (f *Fake) packages(w http.ResponseWriter, body []byte) {
	var q struct {
		SmsSdkAppId, BeginTime, EndTime string
		Limit                           int
	}
	now := f.now().In(time.FixedZone("UTC+8", 8*60*60)).Format("2006010215")
	if json.Unmarshal(body, &q) != nil || q.SmsSdkAppId == "" || q.Limit < 1 || q.Limit > 500 || q.BeginTime >= q.EndTime || q.EndTime >= now || len(q.BeginTime) != 10 {
		f.write(w, "Error", map[string]string{"Code": "InvalidParameterValue.BeginTimeVerifyFail", "Message": string(body)})
		return
	}
	all := []map[string]any{}
	for i, p := range f.Account.Packages {
		if p.Expires.IsZero() {
			p.Expires = f.now().AddDate(1, 0, 0)
		}
		began := f.now().AddDate(0, 0, -1).Unix()
		all = append(all, map[string]any{
			"PackageCreateTime": began, "PackageEffectiveTime": began, "PackageExpiredTime": p.Expires.Unix(),
			"PackageAmount": p.Amount, "CurrentUsage": p.Used, "PackageType": 1, "PackageId": 1000791745 + i,
		})
	}
	f.write(w, "SmsPackagesStatisticsSet", all)
}
