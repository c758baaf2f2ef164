package vonage_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/vonage"
	"smsd/internal/gateway/vonage/vonagefake"
)

// examine returns the findings of a handler's account; the Date of its answers is the vendor's clock's.
func examine(t *testing.T, c vonage.Config, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", now.Format(http.TimeFormat))
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	c.Endpoint = server.URL
	return gatewaytest.Findings(t, open(t, c).Examine(t.Context(), nil),
		application.Reveal(), apiKey.Reveal(), apiSecret.Reveal(), "Basic ", "Bearer", "eyJ", "PRIVATE KEY")
}

var begun = gatewaytest.Begun()

// sends fails the test if a message is sent.
func sends(t *testing.T, a vonagefake.Account) *vonagefake.Fake {
	fake := newFake(func(vonagefake.Message) vonagefake.Refusal {
		t.Error("a message was sent")
		return vonagefake.Refusal{}
	})
	fake.Account = a
	return fake
}

func TestExamineGood(t *testing.T) {
	t.Parallel()
	gatewaytest.WantFindings(t, examine(t, byAccount(""), sends(t, vonagefake.Account{Balance: 10.28})), append(begun[:3:3], "good balance: 10.28 EUR")...)
	gatewaytest.WantFindings(t, examine(t, byApplication(""), sends(t, vonagefake.Account{})), append(begun[:3:3], "doubtful balance: it can't be asked with an application's key")...)
}

func TestExamineBalance(t *testing.T) {
	t.Parallel()
	for want, account := range map[string]vonagefake.Account{
		"doubtful balance: little is left: 3.14 EUR":        {Balance: 3.14159},
		"doubtful balance: nothing is left: 0.00 EUR":       {},
		"good balance: 3.00 EUR; it is filled up by itself": {Balance: 3, AutoReload: true},
	} {
		gatewaytest.WantFindings(t, examine(t, byAccount(""), sends(t, account)), append(begun[:3:3], want)...)
	}
	denies := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		newFake(nil).ServeHTTP(w, r)
	})
	gatewaytest.WantFindings(t, examine(t, byAccount(""), denies), append(begun[:3:3], "doubtful balance: the key may not ask")...)
}

// Who is not let in is told so, once, and nothing else is asked: a wrong key or secret, another application's, a clock that is wrong.
func TestExamineRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config func() vonage.Config
		clock  string
	}{
		"secret":      {func() vonage.Config { c := byAccount(""); c.APISecret = apiKey; return c }, begun[1]},
		"private key": {func() vonage.Config { c := byApplication(""); c.PrivateKey = inPEM(keys()[1]); return c }, begun[1]},
		"clock": {func() vonage.Config {
			c := byApplication("")
			c.Now = func() time.Time { return now.Add(-time.Hour) }
			return c
		}, "doubtful clock: it is 3600 s behind the carrier's"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gatewaytest.WantFindings(t, examine(t, c.config(), sends(t, vonagefake.Account{})), begun[0], c.clock, "bad credentials: the carrier says unauthorized")
		})
	}
	suspended := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"type": "https://developer.vonage.com/api-errors#account-suspended", "detail": "fake1234"}`))
	})
	gatewaytest.WantFindings(t, examine(t, byAccount(""), suspended), begun[0], begun[1], "bad credentials: the carrier says account-suspended")
}

// What is not the carrier, or not itself.
func TestExamineNobodyThere(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 202, 401, 404, 422} {
		page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<html>" + r.Header.Get("Authorization")))
		})
		gatewaytest.WantFinding(t, examine(t, byAccount(""), page), "bad answer: the answer is not one of the carrier's, status "+strconv.Itoa(status), 2)
	}
	down := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	gatewaytest.WantFinding(t, examine(t, byApplication(""), down), "doubtful credentials: the carrier does not say now, status 503", 2)
	hangUp := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	gatewaytest.WantFindings(t, examine(t, byAccount(""), hangUp), "bad connection: no whole answer: the other side hung up")
}
