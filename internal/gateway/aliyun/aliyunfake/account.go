package aliyunfake

import (
	"net/http"
	"net/url"
	"strconv"
)

// Account is what the vendor tells of an account to whoever asks. The zero Account has nothing, and no money.
type Account struct {
	// Signs are the signatures by name, Templates the templates by code.
	Signs     map[string]Sign
	Templates map[string]Template
	// Balance is what is left, as 1000.19, in CNY; "": 0.00.
	Balance string
	// Refuses are the codes with which an action is refused, by the action's name.
	Refuses map[string]string
}

// Sign is a signature. Its Status is 0 in review, 1 approved, 2 rejected, 10 withdrawn.
type Sign struct {
	Status int
	Reason string // of a rejection
	// Registered is the state with each network of the mainland; none: the vendor does not tell.
	Registered []int
}

// Template is a template; its Status is as of [Sign].
type Template struct {
	Status          int
	Reason, Content string
}

// questions are the actions that ask, with their version.
var questions = map[string]string{"GetSmsSign": "2017-05-25", "GetSmsTemplate": "2017-05-25", "QueryAccountBalance": "2017-12-14"}

// knows says whether there is such an action in that version.
func knows(action, version string) bool {
	return action == "SendSms" && version == "2017-05-25" || version != "" && questions[action] == version
}

// asked answers a question; false: r is none. Whoever asks is known.
func (f *Fake) asked(w http.ResponseWriter, r *http.Request) bool {
	action, q := r.Header.Get("X-Acs-Action"), r.URL.Query()
	if questions[action] == "" {
		return false
	}
	if code := f.Account.Refuses[action]; code != "" {
		f.write(w, http.StatusForbidden, code, code+", of "+r.URL.RawQuery+" with "+r.Header.Get("Authorization"))
		return true
	}
	code, answer := f.Account.tell(action, q)
	answer["Code"], answer["Message"], answer["RequestId"] = code, q.Encode(), requestID
	encode(w, http.StatusOK, answer)
	return true
}

func (a Account) tell(action string, q url.Values) (code string, answer map[string]any) {
	switch action {
	case "GetSmsSign":
		return a.sign(q.Get("SignName"))
	case "GetSmsTemplate":
		return a.template(q.Get("TemplateCode"))
	}
	if a.Balance == "" {
		a.Balance = "0.00"
	}
	return "200", map[string]any{"Success": true, "Data": map[string]string{"AvailableAmount": a.Balance, "AvailableCashAmount": a.Balance, "Currency": "CNY"}}
}

func (a Account) sign(name string) (string, map[string]any) {
	s, found := a.Signs[name]
	if !found {
		return "isv.SMS_SIGNATURE_ILLEGAL", map[string]any{}
	}
	var networks []map[string]any
	for i, state := range s.Registered {
		networks = append(networks, map[string]any{"OperatorCode": []string{"mobile", "unicom", "telecom"}[i%3], "RegisterStatus": state})
	}
	return "OK", map[string]any{
		"SignName": name, "SignStatus": s.Status, "AuditInfo": map[string]string{"RejectInfo": s.Reason}, "SignIspRegisterDetailList": networks,
	}
}

// template has its status in quotes, as the vendor has it.
func (a Account) template(name string) (string, map[string]any) {
	t, found := a.Templates[name]
	if !found {
		return "isv.SMS_TEMPLATE_ILLEGAL", map[string]any{}
	}
	return "OK", map[string]any{
		"TemplateCode": name, "TemplateStatus": strconv.Itoa(t.Status), "TemplateContent": t.Content, "AuditInfo": map[string]string{"RejectInfo": t.Reason},
	}
}
