package httpapi

import (
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
)

// tell has the carrier say something of a message.
func (a *api) tell(body string) *reply { return a.operate("POST", "/mock/receipts", body) }

// A tester says what became of a message, and the status is what it is when a carrier does.
func TestMockReceipts(t *testing.T) {
	t.Parallel()
	a, _, _, _ := newReceiving(t)
	id, code := a.sent(alice)
	for _, c := range []struct{ body, state string }{
		{`{"sms_id":` + quote(id) + `,"state":"undelivered","reason":"bad_number"}`, "failed"},
		{`{"sms_id":` + quote(id) + `,"phone":"+86 138 0013 8000","state":"delivered","at":"2026-11-30T06:00:07.5Z"}`, "delivered"},
		{`{"phone":"+8613800138000","state":"undelivered"}`, "delivered"}, // an arrival counts
	} {
		a.want(a.tell(c.body), 204, "")
		a.becomes(id, c.state)
	}
	a.everyRowIsThere()
	a.becomes(id, "delivered")
	a.want(a.verify(id, code), 200, "")
	a.becomes(id, "verified")
	a.want(a.tell(`{"sms_id":`+quote(id)+`,"state":"undelivered"}`), 204, "")
	a.clock.Advance(time.Minute)
	a.everyRowIsThere()
	if r := a.status(id); r.text("state") != "verified" {
		t.Errorf("once verified: %s", r.body)
	}
}

// Who names a number means the newest message to it.
func TestMockReceiptsByPhone(t *testing.T) {
	t.Parallel()
	a, _, _, _ := newReceiving(t)
	first, _ := a.sent(alice)
	a.clock.Advance(2 * time.Minute)
	second, _ := a.sent(alice)
	a.want(a.tell(`{"phone":"+8613800138000","state":"delivered"}`), 204, "")
	a.becomes(second, "delivered")
	a.becomes(first, "accepted")
}

func TestMockReceiptsRefused(t *testing.T) {
	t.Parallel()
	a, _, _, _ := newReceiving(t)
	id, _ := a.sent(alice)
	of := `{"sms_id":` + quote(id) + `,`
	for body, want := range map[string]string{
		`{"state":"delivered"}`:                               `{"pointer":"/sms_id","code":"required"}`,
		of + `"state":"verified"}`:                            `{"pointer":"/state","code":"invalid"}`,
		of + `"reason":"bad_number"}`:                         `{"pointer":"/state","code":"required"}`,
		of + `"state":"undelivered","reason":"rain"}`:         `{"pointer":"/reason","code":"invalid"}`,
		of + `"state":"delivered","reason":"bad_number"}`:     `{"pointer":"/reason","code":"invalid"}`,
		of + `"state":"delivered","at":"yesterday"}`:          `{"pointer":"/at","code":"invalid"}`,
		of + `"state":"delivered","at":1}`:                    `{"pointer":"/at","code":"invalid_type"}`,
		of + `"state":"delivered","cost_micros":1}`:           `{"pointer":"/cost_micros","code":"unknown"}`,
		`{"sms_id":"` + strings.Repeat("x", 65) + `"}`:        `{"pointer":"/sms_id","code":"too_long"}`,
		of + `"state":"undelivered","reason":"x","at":"now"}`: `{"pointer":"/reason","code":"invalid"},{"pointer":"/at","code":"invalid"}`,
	} {
		if r := a.tell(body); r.status != 400 || !strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s, want %s", body, r.status, r.body, want)
		}
	}
	a.want(a.tell(`{"phone":"12","state":"delivered"}`), 422, "invalid_phone")
	a.want(a.tell(`{"phone":"+447911123456","state":"delivered"}`), 404, "verification_not_found")
	a.want(a.tell(`{"sms_id":`+quote(id)+`,"phone":"+447911123456","state":"delivered"}`), 404, "verification_not_found")
	a.want(a.operate("DELETE", "/mock/messages", ""), 204, "")
	a.want(a.tell(of+`"state":"delivered"}`), 404, "verification_not_found")
	a.everyRowIsThere()
	if r := a.status(id); r.text("state") != "accepted" {
		t.Errorf("after none that was taken: %s", r.body)
	}
}

// Without records there is nothing that a receipt could be added to, and a tester is told so.
func TestMockReceiptsWithoutRecords(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	a.want(a.tell(`{"phone":"+8613800138000","state":"delivered"}`), 503, "unavailable")
}

func TestReasonsAreDocumented(t *testing.T) {
	t.Parallel()
	var reasons []string
	for _, r := range gateway.Reasons() {
		reasons = append(reasons, string(r))
	}
	if documented := schemaProperties(t, "MockReceiptRequest")["reason"].Enum; !slices.Equal(documented, reasons) {
		t.Errorf("documented are %q, want %q", documented, reasons)
	}
}
