package tencent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/tencent"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/secret"
)

const (
	inPath       = "9f2c4e61a7b84d03"
	receiptsPath = "https://sms.example.com/api/v1/gateways/tencent/receipts/"
)

func withReceipts(t *testing.T) *tencent.Gateway {
	t.Helper()
	return open(t, tencent.Config{ReceiptSecret: secret.New(inPath)})
}

// call is the vendor's about two messages, and what it says: of the first it repeats what it was sent with.
func call(t *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
	t.Helper()
	session, serial := fmt.Sprintf("AAECAwQFBgcICQoLDA0ODxAREhMUFR%02d", n), fmt.Sprintf("5000:%023d", n)
	r := tencentfake.NewReceipts(receiptsPath+inPath,
		tencentfake.Report{SerialNo: serial, SessionContext: session, NationCode: "86", Mobile: "13900001234", At: at},
		tencentfake.Report{SerialNo: serial + "1", NationCode: "86", Mobile: "13900001234", Code: "UNDELIV", At: at},
	)
	return gatewaytest.PostOf(t, r, inPath, at), []gateway.Receipt{
		{MessageID: session, ProviderID: serial, State: gateway.Delivered, At: at},
		{ProviderID: serial + "1", State: gateway.Undelivered, Reason: gateway.BadNumber, Code: "UNDELIV", At: at},
	}
}

func TestReceiptsConformance(t *testing.T) {
	gatewaytest.RunReceipts(t, gatewaytest.ReceiptHarness{
		Open: func(t *testing.T) gateway.ReceiptReader { return withReceipts(t) },
		Call: call,
		Stranger: func(t *testing.T, n int, at time.Time) gateway.Post {
			p, _ := call(t, n, at)
			p.Secret = "9f2c4e61a7b84d04"
			return p
		},
		Bare: func(_ *testing.T, body []byte, at time.Time) gateway.Post {
			return gateway.Post{Secret: inPath, Body: body, Now: at}
		},
		Signed:  gatewaytest.Signed{Secret: true},
		Secrets: []string{id.Reveal(), hidden.Reveal(), inPath},
	})
}

// The vendor's own example (cloud.tencent.com/document/api/382/59178, 5 January 2026), whose time is by its own clock.
func TestExampleOfTheVendor(t *testing.T) {
	t.Parallel()
	body := `[{"user_receive_time": "2015-10-17 08:03:04", "nationcode": "86", "mobile": "13xxxxxxxxx", "report_status": "SUCCESS",
		"errmsg": "DELIVRD", "description": "用户短信送达成功", "sid": "xxxxxxx"}]`
	got, err := withReceipts(t).Receipts(t.Context(), gateway.Post{Secret: inPath, Body: []byte(body)})
	want := []gateway.Receipt{{ProviderID: "xxxxxxx", State: gateway.Delivered, At: time.Date(2015, 10, 17, 0, 3, 4, 0, time.UTC)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// One report that can't be read keeps no other from being heard: told of an error, the vendor would send all of them again.
func TestReportsThatMeanNothing(t *testing.T) {
	t.Parallel()
	body := `[7, {"report_status": "SUCCESS"}, {"report_status": "PERHAPS", "sid": "1"}, {"sid": "2"}, {"report_status": true, "sid": "3"},
		{"report_status": "FAIL", "sid": "4", "errmsg": "MK:0001", "user_receive_time": ""},
		{"report_status": "FAIL", "sid": "5", "errmsg": "-106"},
		{"report_status": "FAIL", "sid": "6", "errmsg": "用户 13900001234"}]`
	got, err := withReceipts(t).Receipts(t.Context(), gateway.Post{Secret: inPath, Body: []byte(body)})
	want := []gateway.Receipt{
		{ProviderID: "4", State: gateway.Undelivered, Reason: gateway.Ambiguous, Code: "MK:0001"},
		{ProviderID: "5", State: gateway.Undelivered, Reason: gateway.Content, Code: "-106"},
		{ProviderID: "6", State: gateway.Undelivered, Reason: gateway.Ambiguous}, // words are no code
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// Without the setting nobody is believed, whatever the path says.
func TestNoReceiptsWithoutASecret(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", inPath} {
		p, _ := call(t, 0, time.Now())
		p.Secret = secret
		if _, err := open(t, tencent.Config{}).Receipts(t.Context(), p); !errors.Is(err, gateway.ErrForged) {
			t.Errorf("with %q in the path: %v", secret, err)
		}
	}
}

// Whose a message is has to be kept for receipts that name it by the vendor's id alone, and only for them.
func TestMessagesAreKnownByTheVendorsID(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{inPath: true, "": false} {
		_, accepted, err := send(t, &tencentfake.Fake{}, tencent.Config{ReceiptSecret: secret.New(text)}, message("+8613900001234"))
		if err != nil || accepted.ByProviderID != want {
			t.Errorf("%+v, %v", accepted, err)
		}
	}
}

func TestReceiptSecretOfSettings(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{"": true, inPath: true, "fifteen-letters": false, "a secret/with?marks": false} {
		_, err := tencent.Open(tencent.Config{SecretID: id, SecretKey: hidden, AppID: "1400006666", ReceiptSecret: secret.New(text)})
		if (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReceiptAnswer(t *testing.T) {
	t.Parallel()
	var answer struct{ Result *int }
	if _, body := withReceipts(t).ReceiptAnswer(); json.Unmarshal(body, &answer) != nil || answer.Result == nil || *answer.Result != 0 {
		t.Errorf("%s", body)
	}
}

func FuzzReceipts(f *testing.F) {
	f.Add([]byte(`[{"report_status":"SUCCESS","sid":"1","user_receive_time":"2017-01-01 00:00:00"}]`))
	f.Add([]byte(`[{"report_status":"FAIL","ext":"1","errmsg":"UNDELIV"},null]`))
	g, err := tencent.Open(tencent.Config{SecretID: id, SecretKey: hidden, AppID: "1400006666", ReceiptSecret: secret.New(inPath)})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		gatewaytest.CheckReceipts(t, g, gateway.Post{Secret: inPath, Body: body})
	})
}
