package aws

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// answering returns a gateway whose vendor answers with that.
func answering(t testing.TB, status *int, body *string) *Gateway {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(*status)
		_, _ = io.WriteString(w, *body)
	}))
	t.Cleanup(server.Close)
	g, err := Open(Config{Region: "eu-central-1", AccessKeyID: secret.New("AKIA"), AccessKeySecret: secret.New("x"), Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func sendOne(ctx context.Context, g *Gateway) (gateway.Accepted, error) {
	return g.Send(ctx, gateway.Message{ID: "1", Phone: phone.MustParse("+447400123456"), Text: secret.New("493817")})
}

func exception(name, reason, field string) string {
	return fmt.Sprintf(`{"__type": "com.amazonaws.pinpointsmsvoicev2#%s", "Message": "+447400123456: 493817", "Reason": %q, "Fields": [{"Name": %q, "Message": "493817"}]}`, name, reason, field)
}

// What an answer comes to, by what the vendor's pages say of it.
func TestOutcome(t *testing.T) {
	t.Parallel()
	var status int
	var body string
	g := answering(t, &status, &body)
	for _, c := range []struct {
		status int
		body   string
		reason gateway.Reason // "": accepted
		sent   gateway.Sent
		says   string
	}{
		{200, `{"MessageId": "862a"}`, "", 0, ""},
		{200, `{}`, gateway.Ambiguous, gateway.MaybeSent, "without MessageId"},
		{200, `{"MessageId": ""}`, gateway.Ambiguous, gateway.MaybeSent, "without MessageId"},
		{200, `{"MessageId": 7}`, gateway.Ambiguous, gateway.MaybeSent, "not the carrier's own, status 200"},
		{200, `{"MessageId": "862a"`, gateway.Ambiguous, gateway.MaybeSent, "status 200"},
		{200, ``, gateway.Ambiguous, gateway.MaybeSent, "without MessageId"},
		{200, `<html>493817`, gateway.Ambiguous, gateway.MaybeSent, "status 200"},
		{204, ``, gateway.Ambiguous, gateway.MaybeSent, "without MessageId"},
		{200, exception("ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT", ""), gateway.Ambiguous, gateway.MaybeSent, "without MessageId"},

		{400, exception("ConflictException", "DESTINATION_PHONE_NUMBER_OPTED_OUT", ""), gateway.BadNumber, gateway.NotSent, "says DESTINATION_PHONE_NUMBER_OPTED_OUT"},
		{400, exception("ConflictException", "DESTINATION_PHONE_NUMBER_BLOCKED_BY_PROTECT_NUMBER_OVERRIDE", ""), gateway.BadNumber, gateway.NotSent, "BLOCKED_BY_PROTECT_NUMBER_OVERRIDE"},
		{400, exception("ConflictException", "+447400123456", ""), gateway.Temporary, gateway.NotSent, "withheld"},
		{400, exception("ConflictException", "", ""), gateway.Temporary, gateway.NotSent, "says ConflictException"},
		{400, exception("ValidationException", "INVALID_PARAMETER", "DestinationPhoneNumber"), gateway.BadNumber, gateway.NotSent, "INVALID_PARAMETER"},
		{400, exception("ValidationException", "INVALID_PARAMETER", "destinationPhoneNumber"), gateway.BadNumber, gateway.NotSent, "INVALID_PARAMETER"},
		{400, exception("ValidationException", "INVALID_PARAMETER", "MessageBody"), gateway.Content, gateway.NotSent, "INVALID_PARAMETER"},
		{400, exception("ValidationException", "INVALID_PARAMETER", "OriginationIdentity"), gateway.Configuration, gateway.NotSent, "INVALID_PARAMETER"},
		{400, exception("ValidationException", "INVALID_PARAMETER", "Something"), gateway.Temporary, gateway.NotSent, "INVALID_PARAMETER"},
		{400, exception("ValidationException", "DESTINATION_COUNTRY_BLOCKED", "DestinationPhoneNumber"), gateway.NoRoute, gateway.NotSent, "DESTINATION_COUNTRY_BLOCKED"},
		{400, exception("ServiceQuotaExceededException", "MONTHLY_SPEND_LIMIT_REACHED_FOR_TEXT", ""), gateway.Configuration, gateway.NotSent, "MONTHLY_SPEND_LIMIT"},
		{400, exception("ServiceQuotaExceededException", "POOLS_PER_ACCOUNT", ""), gateway.Configuration, gateway.NotSent, "POOLS_PER_ACCOUNT"},
		{400, exception("AccessDeniedException", "ACCOUNT_DISABLED", ""), gateway.Configuration, gateway.NotSent, "ACCOUNT_DISABLED"},
		{400, exception("ResourceNotFoundException", "", ""), gateway.Configuration, gateway.NotSent, "ResourceNotFoundException"},
		{400, exception("ThrottlingException", "", ""), gateway.Temporary, gateway.NotSent, "ThrottlingException"},
		{403, exception("ExpiredTokenException", "", ""), gateway.Configuration, gateway.NotSent, "ExpiredTokenException"},
		{400, exception("RequestAbortedException", "", ""), gateway.Ambiguous, gateway.MaybeSent, "RequestAbortedException"},

		// An exception that is not in the table: by the status.
		{400, exception("NewException", "NEW", ""), gateway.Temporary, gateway.NotSent, "says NewException"},
		{403, exception("NewException", "", ""), gateway.Configuration, gateway.NotSent, "says NewException"},
		{400, exception("+447400123456", "", ""), gateway.Temporary, gateway.NotSent, "withheld"},

		// What is not the vendor's own says nothing.
		{400, `{}`, gateway.Ambiguous, gateway.MaybeSent, "not the carrier's own, status 400"},
		{403, `<html>493817`, gateway.Ambiguous, gateway.MaybeSent, "not the carrier's own, status 403"},
		{413, ``, gateway.Ambiguous, gateway.MaybeSent, "not the carrier's own, status 413"},
		{400, `{"code": "ConflictException`, gateway.Ambiguous, gateway.MaybeSent, "status 400"},
		{400, `{"__type": "ConflictException", "Reason": 7}`, gateway.Ambiguous, gateway.MaybeSent, "status 400"},

		{500, exception("InternalServerException", "", ""), gateway.Ambiguous, gateway.MaybeSent, "500 InternalServerException"},
		{503, exception("ThrottlingException", "", ""), gateway.Ambiguous, gateway.MaybeSent, "503 ThrottlingException"},
		{502, `<html>`, gateway.Ambiguous, gateway.MaybeSent, "status 502"},
		{307, ``, gateway.Configuration, gateway.NotSent, "the URL has moved"},
		{200, strings.Repeat(" ", carrier.MaxAnswer+1), gateway.Ambiguous, gateway.MaybeSent, "more than 64 KiB"},
	} {
		status, body = c.status, c.body
		accepted, err := sendOne(t.Context(), g)
		e, _ := err.(*gateway.Error)
		switch {
		case c.reason == "" && (err != nil || accepted.ProviderID != "862a"):
			t.Errorf("%d %.200s: %+v, %v", c.status, c.body, accepted, e)
		case c.reason != "" && (e == nil || e.Reason != c.reason || e.Sent != c.sent || !strings.Contains(e.Error(), c.says)):
			t.Errorf("%d %.200s: %v; want %s, %s: %s", c.status, c.body, e, c.reason, c.sent, c.says)
		case e != nil && strings.Contains(fmt.Sprintf("%v %+v %#v", e, e, e.Err), "493817"):
			t.Errorf("%d: the code is told", c.status)
		}
	}
}

// FuzzOutcome: no answer is taken for more than it says, and none is repeated.
func FuzzOutcome(f *testing.F) {
	for _, status := range []int{200, 202, 302, 400, 401, 404, 429, 500} {
		for _, body := range []string{``, `{}`, `{"MessageId": "862a"}`, exception("ConflictException", "OTHER", ""), exception("InternalFailure", "", ""), `{"__type": 7}`, "<html>"} {
			f.Add(status, body)
		}
	}
	var status int
	var body string
	g := answering(f, &status, &body)
	f.Fuzz(func(t *testing.T, s int, b string) {
		if s < 200 || s > 999 {
			t.Skip()
		}
		status, body = s, b
		accepted, err := sendOne(t.Context(), g)
		e, _ := err.(*gateway.Error)
		switch fault := gatewaytest.Judgement(s, accepted, err); {
		case fault != "":
			t.Error(fault)
		case e == nil && accepted.ProviderID == "":
			t.Errorf("%d %s is accepted without an id", s, b)
		case e != nil && e.Sent == gateway.NotSent && s/100 != 4 && s != 307 && s != 308:
			t.Errorf("%d %s is surely not sent", s, b)
		}
	})
}

// The table for users is that of the driver.
func TestCodesInTheManual(t *testing.T) {
	t.Parallel()
	gatewaytest.Documented(t, "../../../docs/gateways.md", "AWS", codes)
}

// The SDK sends once, whatever it would do with what it gets.
func TestWireSendsOnce(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	w := &wire{client: carrier.New(carrier.Options{})}
	for range 2 {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("x"))
		if response, err := w.Do(r); err == nil {
			_ = response.Body.Close()
		}
	}
	if asked != 1 {
		t.Errorf("sent %d times", asked)
	}
}
