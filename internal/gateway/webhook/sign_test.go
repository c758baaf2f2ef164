package webhook_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/webhook"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

const (
	vectorSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	vectorID     = "msg_p5jXN8AQM9LWM0D4loKWxJek"
)

// newSecret is the one that follows vectorSecret.
const newSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func keyOf(t *testing.T, s string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func vectorKey(t *testing.T) []byte { return keyOf(t, vectorSecret) }

// posted is one request as it arrived.
type posted struct {
	header http.Header
	body   []byte
}

// post sends m twice and returns what arrived.
func post(t *testing.T, m gateway.Message, now func() time.Time, secrets ...string) []posted {
	t.Helper()
	arrived := make(chan posted, 2)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- posted{r.Header, body}
	}))
	t.Cleanup(server.Close)
	c := webhook.Config{URL: secret.New(server.URL), AllowPrivate: true, Now: now}
	for _, s := range secrets {
		c.Secrets = append(c.Secrets, secret.New(s))
	}
	g, err := webhook.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := g.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	return []posted{<-arrived, <-arrived}
}

func message() gateway.Message {
	return gateway.Message{
		ID: vectorID, SMSID: "0b7e7b4c", Phone: phone.MustParse("+8613800138000"), Scene: "login", Locale: "zh",
		Text: secret.New("493817 <是您的> 登录验证码"), Code: secret.New("493817"),
	}
}

// What is posted, field by field: the id is the same on every try, the instants are those of the try.
func TestPosted(t *testing.T) {
	t.Parallel()
	m := message()
	m.Template = gateway.Template{Sign: "示例科技", Code: "SMS_1", Params: []gateway.Param{
		{Name: "minutes", Value: secret.New("5")}, {Name: "code", Value: secret.New("493817")},
	}}
	tick := time.Unix(1614265330, 0)
	tries := post(t, m, func() time.Time { tick = tick.Add(500 * time.Millisecond); return tick }, vectorSecret)
	for i, want := range []struct{ seconds, instant string }{
		{"1614265330", "2021-02-25T15:02:10.5Z"}, {"1614265331", "2021-02-25T15:02:11.5Z"},
	} {
		h := tries[i].header
		if h.Get("webhook-id") != vectorID || h.Get("webhook-timestamp") != want.seconds || h.Get("Content-Type") != "application/json" {
			t.Errorf("try %d: header %v", i, h)
		}
		const data = `"data":{"id":"msg_p5jXN8AQM9LWM0D4loKWxJek","sms_id":"0b7e7b4c","phone":"+8613800138000","scene":"login","locale":"zh",` +
			`"text":"493817 \u003c是您的\u003e 登录验证码","code":"493817",` +
			`"template":{"sign":"示例科技","code":"SMS_1","params":[{"name":"minutes","value":"5"},{"name":"code","value":"493817"}]}}}`
		if want := `{"type":"sms.send","timestamp":"` + want.instant + `",` + data; string(tries[i].body) != want {
			t.Errorf("try %d: %s\nwant %s", i, tries[i].body, want)
		}
	}
}

// Without a template there is none in the body.
func TestPostedWithoutTemplate(t *testing.T) {
	t.Parallel()
	var body struct{ Data map[string]any }
	if err := json.Unmarshal(post(t, message(), nil, vectorSecret)[0].body, &body); err != nil {
		t.Fatal(err)
	}
	if _, has := body.Data["template"]; has || len(body.Data) != 7 {
		t.Errorf("data: %v", body.Data)
	}
}

// While secrets rotate, a receiver with either of them finds its signature; one with another finds none.
func TestRotation(t *testing.T) {
	t.Parallel()
	for _, p := range post(t, message(), nil, newSecret, vectorSecret) {
		if n := len(strings.Fields(p.header.Get("webhook-signature"))); n != 2 {
			t.Errorf("%d signatures", n)
		}
		for _, s := range []string{newSecret, vectorSecret} {
			if !(receiver{key: keyOf(t, s)}).signed(p.header, p.body) {
				t.Errorf("not signed by %s", s)
			}
		}
		if (receiver{key: []byte("another key of twenty-four bytes")}).signed(p.header, p.body) {
			t.Error("signed by a key that nobody has")
		}
		p.body[len(p.body)-1] ^= 1
		if (receiver{key: vectorKey(t)}).signed(p.header, p.body) {
			t.Error("another body has the same signature")
		}
	}
}
