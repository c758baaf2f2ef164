package sms_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// spoken is a policy whose second gateway keeps the text, and whose first has a text of its own that takes two segments.
const spoken = `
variables: {Product: Example}
scenes:
  login:
    templates:
      en: "{{.Code}} is your code for {{.Product}}."
      zh:
        text: "{{.Product}}登录验证码：{{.Code}}，{{.Minutes}}分钟内有效。"
        sign: 示例科技
        gateways:
          mock: {text: "{{.Code}} {{.Minutes}} 示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例示例"}
          second: {code: SMS_1, params: {code: "{{.Code}}", min: "{{.Minutes}}", product: "{{.Product}}"}}
`

// Two apps say the same of their own products.
func TestVariablesOfApps(t *testing.T) {
	t.Parallel()
	var heard []gateway.Message
	r := newRig(t, setup{policy: spoken + "apps:\n  shop:\n    variables: {Product: Shop}\n", driver: listener{&heard, nil}})
	for app, want := range map[string]string{"": "for Example.", "shop": "for Shop.", "other": "for Example."} {
		q := speak("en", "")
		q.App = app
		sent := r.send(q)
		if _, err := r.Resend(r.ctx(), sms.ResendRequest{App: app, SMSID: sent.SMSID, Client: home}); err != nil {
			t.Fatal(err)
		}
		for _, m := range heard[len(heard)-2:] {
			if got := m.Text.Reveal(); !strings.HasSuffix(got, want) {
				t.Errorf("%q says %q", app, got)
			}
		}
	}
}

func speak(locale, languages string) sms.SendRequest {
	return sms.SendRequest{Phone: alice, Scene: "login", Locale: locale, Languages: languages, Client: home}
}

// Each gateway is given its own wording, which holds the same code and the minutes that remain: on a resend, those alone.
func TestEachGatewayIsGivenItsOwnWording(t *testing.T) {
	t.Parallel()
	var first, second []gateway.Message
	r := newRig(t, setup{policy: spoken, driver: listener{&first, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent}}, second: listener{&second, nil}})
	sent := r.send(speak("zh-CN", ""))
	r.pass(90 * time.Second)
	r.resend(sent.SMSID)
	if len(first) != 2 || len(second) != 2 {
		t.Fatalf("%d and %d messages", len(first), len(second))
	}
	for i, minutes := range []string{"5", "3"} {
		a, b := first[i], second[i]
		code := a.Code.Reveal()
		if got := a.Text.Reveal(); !strings.HasPrefix(got, "【示例科技】"+code+" "+minutes+" 示例") || !a.Template.IsZero() {
			t.Errorf("the first is given %q, %v", got, a.Template)
		}
		if got := b.Text.Reveal(); got != "【示例科技】Example登录验证码："+code+"，"+minutes+"分钟内有效。" {
			t.Errorf("the second is given %q", got)
		}
		var params []string
		for _, p := range b.Template.Params {
			params = append(params, p.Name+"="+p.Value.Reveal())
		}
		if got := strings.Join(params, " "); got != "code="+code+" min="+minutes+" product=Example" || b.Template.Sign != "示例科技" || b.Template.Code != "SMS_1" {
			t.Errorf("the second is given %q, %v", got, b.Template)
		}
		if a.Locale != "zh" || b.ID != a.ID || b.Code.Reveal() != code {
			t.Errorf("%v, %v", a, b)
		}
	}
}

// listener is a gateway that keeps what it is given.
type listener struct {
	heard *[]gateway.Message
	err   error
}

func (g listener) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	*g.heard = append(*g.heard, m)
	return gateway.Accepted{}, g.err
}

// The segments of a row are those of the text that the gateway was given which took it.
func TestSegmentsAreThoseOfWhatWasSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first error
		want  int
	}{
		"its own text":        {nil, 2},
		"the next one's text": {&gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent}, 1},
		"nobody can tell":     {&gateway.Error{Reason: gateway.Ambiguous}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first, second []gateway.Message
			l := newLedger(t, setup{policy: spoken, driver: listener{&first, c.first}, second: listener{&second, nil}})
			l.send(speak("zh", ""))
			if v := l.row(); v.Fate.Segments != c.want {
				t.Errorf("%d segments", v.Fate.Segments)
			}
		})
	}
}

// The languages of a client choose the text where the request names none, and a resend keeps what was chosen.
func TestLanguagesOfTheClient(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ locale, languages, want string }{
		{"", "fr-CH, zh-CN;q=0.9, en;q=0.8", "zh"}, {"en", "zh", "en"}, {"", "fr", "en"}, {"", strings.Repeat("zh\x00,", 1000), "en"}, {"zh-TW", "", "zh"},
	} {
		var heard []gateway.Message
		r := newRig(t, setup{policy: spoken, driver: listener{&heard, nil}})
		sent := r.send(speak(c.locale, c.languages))
		r.resend(sent.SMSID)
		if len(heard) != 2 || heard[0].Locale != c.want || heard[1].Locale != c.want {
			t.Errorf("%q, %.40q: %v", c.locale, c.languages, heard)
		}
	}
}
