package aliyun_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/secret"
)

// account has all that examined templates need.
func account() aliyunfake.Account {
	return aliyunfake.Account{
		Signs:     map[string]aliyunfake.Sign{"示例科技": {Status: 1, Registered: []int{1, 3, 1}}},
		Templates: map[string]aliyunfake.Template{"SMS_1": {Status: 1, Content: "您的验证码是${code}，${minutes}分钟内有效。"}},
		Balance:   "1000.19",
	}
}

// params are those of a template, without values.
func params(names ...string) []gateway.Param {
	var all []gateway.Param
	for _, name := range names {
		all = append(all, gateway.Param{Name: name})
	}
	return all
}

var one = []gateway.Template{{Code: "SMS_1", Params: params("code", "minutes")}}

// examine returns the findings, a line each, as what a handler makes of the fake's answers has them.
func examine(t *testing.T, c aliyun.Config, handler http.Handler, templates []gateway.Template) string {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	c.Endpoint, c.Sign = server.URL, "示例科技"
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return lines(t, open(t, c).Examine(ctx, templates))
}

// lines are the findings, none of which may hold a credential or a number.
func lines(t *testing.T, all []gateway.Finding) string {
	t.Helper()
	return gatewaytest.Findings(t, all, id.Reveal(), hidden.Reveal(), "13800138000", "Credential")
}

var begun = gatewaytest.Begun()

func TestExamineGood(t *testing.T) {
	t.Parallel()
	got := examine(t, aliyun.Config{}, &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Account: account()}, one)
	gatewaytest.WantFindings(t, got, append(begun, "good signature 示例科技: approved", "good template SMS_1: approved", "good balance: 1000.19 CNY; packages of messages are not in it")...)
}

// What the account lacks, one thing at a time: the lines that are other than those of a good one.
func TestExamineAccount(t *testing.T) {
	t.Parallel()
	sign := func(s aliyunfake.Sign) func(*aliyunfake.Account) {
		return func(a *aliyunfake.Account) { a.Signs["示例科技"] = s }
	}
	template := func(status int, content, reason string) func(*aliyunfake.Account) {
		return func(a *aliyunfake.Account) {
			a.Templates["SMS_1"] = aliyunfake.Template{Status: status, Content: content, Reason: reason}
		}
	}
	refuses := func(action, code string) func(*aliyunfake.Account) {
		return func(a *aliyunfake.Account) { a.Refuses = map[string]string{action: code} }
	}
	for name, c := range map[string]struct {
		change func(*aliyunfake.Account)
		want   string
	}{
		"no signature":       {func(a *aliyunfake.Account) { a.Signs = nil }, "bad signature 示例科技: the account has none of that name: isv.SMS_SIGNATURE_ILLEGAL"},
		"signature pending":  {sign(aliyunfake.Sign{}), "bad signature 示例科技: not approved yet: the carrier is looking at it"},
		"signature rejected": {sign(aliyunfake.Sign{Status: 2, Reason: "资质\n不符 13800138000"}), "bad signature 示例科技: rejected: 资质 不符 ***"},
		"withdrawn":          {sign(aliyunfake.Sign{Status: 10}), "bad signature 示例科技: withdrawn"},
		"status unknown":     {sign(aliyunfake.Sign{Status: 7}), "doubtful signature 示例科技: the carrier does not say whether it is approved"},
		"not registered":     {sign(aliyunfake.Sign{Status: 1, Registered: []int{3, 0, 1}}), "doubtful signature 示例科技: approved, but not registered with every network: messages to some phones may be lost"},
		"no template":        {func(a *aliyunfake.Account) { a.Templates = nil }, "bad template SMS_1: the account has none of that name: isv.SMS_TEMPLATE_ILLEGAL"},
		"template pending":   {template(0, "${code}", ""), "bad template SMS_1: not approved yet: the carrier is looking at it"},
		"template rejected":  {template(2, "", "错别字 "+hidden.Reveal()), "bad carrier: what the carrier says is withheld, since it holds a credential"},
		"other variables":    {template(1, "${code} ${product}", ""), `bad template SMS_1: it has "product", for which nothing is sent, and what is sent as "minutes" has no place in it`},
		"little left":        {func(a *aliyunfake.Account) { a.Balance = "9.99" }, "doubtful balance: little is left: 9.99 CNY; packages of messages are not in it"},
		"nothing left":       {func(a *aliyunfake.Account) { a.Balance = "-11.19" }, "doubtful balance: nothing is left: -11.19 CNY; packages of messages are not in it"},
		"no number":          {func(a *aliyunfake.Account) { a.Balance = "NaN" }, "doubtful balance: the carrier's number is none that can be read"},
		"may not ask":        {refuses("GetSmsSign", "isp.RAM_PERMISSION_DENY"), "doubtful signature 示例科技: the key may not ask: isp.RAM_PERMISSION_DENY"},
		"may not ask either": {refuses("GetSmsTemplate", "Forbidden.RAM"), "doubtful template SMS_1: the key may not ask: Forbidden.RAM"},
		"no balance":         {refuses("QueryAccountBalance", "NotAuthorized"), "doubtful balance: the key may not ask: NotAuthorized"},
		"other site":         {refuses("QueryAccountBalance", "NotApplicable"), "doubtful balance: the carrier does not tell it of this account"},
		"too many":           {refuses("GetSmsSign", "Throttling.User"), "doubtful signature 示例科技: the carrier does not say now: Throttling.User"},
		"a new code":         {refuses("GetSmsTemplate", "isp.WEATHER"), "doubtful template SMS_1: the carrier does not say: isp.WEATHER"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := account()
			c.change(&a)
			got := examine(t, aliyun.Config{}, &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Account: a}, one)
			gatewaytest.WantFinding(t, got, c.want, 5)
		})
	}
}

// Who is not let in is told so, once, and nothing else is asked.
func TestExamineRefused(t *testing.T) {
	t.Parallel()
	fake := &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: secret.New("another"), Account: account()}
	got := examine(t, aliyun.Config{}, fake, one)
	gatewaytest.WantFindings(t, got, begun[0], begun[1], "bad credentials: the carrier says SignatureDoesNotMatch")
	fake = &aliyunfake.Fake{AccessKeyID: secret.New("another"), AccessKeySecret: hidden, Account: account()}
	gatewaytest.WantFindings(t, examine(t, aliyun.Config{}, fake, one), begun[0], begun[1], "bad credentials: the carrier says InvalidAccessKeyId.NotFound")
}

// The clock is compared with the carrier's Date, be it that it refuses or that it is about to.
func TestExamineClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	for ahead, want := range map[time.Duration][]string{
		20 * time.Minute: {begun[0], "bad clock: it is 1200 s ahead of the carrier's; more than 15 minutes it refuses",
			"bad clock: the carrier refuses the time of the call: InvalidTimeStamp.Expired"},
		-2 * time.Minute: {begun[0], "doubtful clock: it is 120 s behind the carrier's", begun[2],
			"good signature 示例科技: approved", "good template SMS_1: approved", "good balance: 1000.19 CNY; packages of messages are not in it"},
	} {
		carrier := func() time.Time { return now }
		fake := &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Account: account(), Now: carrier}
		got := examine(t, aliyun.Config{Now: func() time.Time { return now.Add(ahead) }}, dated(fake, now), one)
		gatewaytest.WantFindings(t, got, want...)
	}
	undated := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Date"] = nil
		(&aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Account: account()}).ServeHTTP(w, r)
	})
	if got := examine(t, aliyun.Config{}, undated, one); !strings.Contains(got, "doubtful clock: the carrier does not say what time it is\n") {
		t.Error(got)
	}
}

func dated(h http.Handler, at time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", at.Format(http.TimeFormat))
		h.ServeHTTP(w, r)
	})
}

// What is not the carrier, and what does not answer: one finding, and no more questions.
func TestExamineNobodyThere(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<html>%s %s", r.URL.RawQuery, r.Header.Get("Authorization"))
	})
	gatewaytest.WantFindings(t, examine(t, aliyun.Config{}, page, one), begun[0], begun[1], "bad answer: the answer is not one of the carrier's, status 200")

	broken := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	gatewaytest.WantFindings(t, examine(t, aliyun.Config{}, broken, one), "bad connection: no whole answer: the other side hung up")

	got := lines(t, open(t, aliyun.Config{Endpoint: gatewaytest.Nobody(t), Sign: "示例科技"}).Examine(t.Context(), one))
	gatewaytest.WantFindings(t, got, "bad connection: no connection: connection refused")
}

// It ends with its context, where the carrier is silent from the start or later on.
func TestExamineInTime(t *testing.T) {
	t.Parallel()
	fake := &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Account: account()}
	for silent, want := range map[string][]string{
		"GetSmsSign": {"bad connection: no whole answer: out of time"},
		"GetSmsTemplate": {begun[0], begun[1], begun[2], "good signature 示例科技: approved", "doubtful template SMS_1: it could not be asked: no whole answer: out of time",
			"doubtful balance: it could not be asked: no connection: out of time"},
	} {
		t.Run(silent, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			asked := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("X-Acs-Action") != silent {
					fake.ServeHTTP(w, r)
					return
				}
				close(asked)
				<-r.Context().Done()
			}))
			defer server.Close()
			go func() { <-asked; cancel() }()
			want := strings.ReplaceAll(strings.Join(want, "\n"), "out of time", "the call was cancelled")
			gatewaytest.WantFindings(t, lines(t, open(t, aliyun.Config{Endpoint: server.URL, Sign: "示例科技"}).Examine(ctx, one)), want)
		})
	}
}

// What the settings lack is told without asking, and the gateway's own template is asked about as well.
func TestExamineSettings(t *testing.T) {
	t.Parallel()
	a := account()
	a.Templates["SMS_2"] = aliyunfake.Template{Status: 1, Content: "${code}"}
	server := httptest.NewServer(&aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Account: a})
	defer server.Close()
	got := lines(t, open(t, aliyun.Config{Endpoint: server.URL}).Examine(t.Context(), nil))
	gatewaytest.WantFindings(t, got, append([]string{"bad template: there is none, and this carrier sends only texts that it has approved"},
		append(begun[:3:3], "good balance: 1000.19 CNY; packages of messages are not in it")...)...)

	got = lines(t, open(t, aliyun.Config{Endpoint: server.URL, Template: "SMS_2"}).Examine(t.Context(), []gateway.Template{{Sign: "示例科技", Code: "SMS_1", Params: params("code", "minutes")}}))
	gatewaytest.WantFindings(t, got, append([]string{"bad signature: there is none for templates that name none"},
		append(begun[:3:3], "good signature 示例科技: approved", "good template SMS_1: approved", "good template SMS_2: approved", "good balance: 1000.19 CNY; packages of messages are not in it")...)...)
}
