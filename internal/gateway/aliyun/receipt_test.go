package aliyun_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/secret"
)

const (
	inPath       = "9f2c4e61a7b84d03"
	receiptsPath = "https://sms.example.com/api/v1/gateways/aliyun/receipts/"
)

func withReceipts(t *testing.T) *aliyun.Gateway {
	t.Helper()
	return open(t, aliyun.Config{ReceiptSecret: secret.New(inPath)})
}

// call is the vendor's about two messages, and what it says.
func call(t *testing.T, n int, at time.Time) (gateway.Post, []gateway.Receipt) {
	t.Helper()
	first, second := fmt.Sprintf("AAECAwQFBgcICQoLDA0ODxAREhMUFR%02d", n), fmt.Sprintf("9006197469364984%04d", n)
	r := aliyunfake.NewReceipts(receiptsPath+inPath,
		aliyunfake.Report{OutID: first, BizID: second, PhoneNumber: "13900001234", Parts: 2, At: at},
		aliyunfake.Report{BizID: second + "1", PhoneNumber: "13900001234", Code: "MOBILE_IN_BLACK", At: at},
	)
	return gatewaytest.PostOf(t, r, inPath, at), []gateway.Receipt{
		{MessageID: first, ProviderID: second, State: gateway.Delivered, At: at, Segments: 2},
		{ProviderID: second + "1", State: gateway.Undelivered, Reason: gateway.BadNumber, Code: "MOBILE_IN_BLACK", At: at, Segments: 1},
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

// The vendor's own example (document_detail/101867.html, November 2026), whose time is by its own clock.
func TestExampleOfTheVendor(t *testing.T) {
	t.Parallel()
	body := `[{"phone_number": "1381111****", "send_time": "2017-01-01 00:00:00", "report_time": "2017-01-01 00:00:00", "success": true,
		"err_code": "DELIVERED", "err_msg": "用户接收成功", "sms_size": "1", "biz_id": "12345", "out_id": "67890"}]`
	got, err := withReceipts(t).Receipts(t.Context(), gateway.Post{Secret: inPath, Body: []byte(body)})
	want := []gateway.Receipt{{
		MessageID: "67890", ProviderID: "12345", State: gateway.Delivered, Segments: 1, At: time.Date(2016, 12, 31, 16, 0, 0, 0, time.UTC),
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
}

// One report that can't be read keeps no other from being heard: told of an error, the vendor would send all of them again.
func TestReportsThatMeanNothing(t *testing.T) {
	t.Parallel()
	body := `[7, {"success": "perhaps", "biz_id": "1"}, {"success": true}, {"biz_id": "2"}, {"biz_id": 3, "success": true},
		{"biz_id": "4", "success": false, "err_code": "MK:0001", "report_time": "yesterday", "sms_size": 3, "new": {"a": 1}},
		{"biz_id": "5", "success": false, "err_code": "PORT_NOT_REGISTERED", "sms_size": "-1"},
		{"biz_id": "6", "success": false, "err_code": "13900001234"}]`
	got, err := withReceipts(t).Receipts(t.Context(), gateway.Post{Secret: inPath, Body: []byte(body)})
	want := []gateway.Receipt{
		{ProviderID: "4", State: gateway.Undelivered, Reason: gateway.Ambiguous, Code: "MK:0001", Segments: 3},
		{ProviderID: "5", State: gateway.Undelivered, Reason: gateway.Configuration, Code: "PORT_NOT_REGISTERED"},
		{ProviderID: "6", State: gateway.Undelivered, Reason: gateway.Ambiguous}, // a number is no code
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
		if _, err := open(t, aliyun.Config{}).Receipts(t.Context(), p); !errors.Is(err, gateway.ErrForged) {
			t.Errorf("with %q in the path: %v", secret, err)
		}
	}
}

func TestReceiptSecretOfSettings(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{"": true, inPath: true, "fifteen-letters": false, "a secret/with?marks": false} {
		_, err := aliyun.Open(aliyun.Config{AccessKeyID: id, AccessKeySecret: hidden, ReceiptSecret: secret.New(text)})
		if (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestReceiptAnswer(t *testing.T) {
	t.Parallel()
	var answer struct{ Code *int }
	if _, body := withReceipts(t).ReceiptAnswer(); json.Unmarshal(body, &answer) != nil || answer.Code == nil || *answer.Code != 0 {
		t.Errorf("%s", body)
	}
}

func FuzzReceipts(f *testing.F) {
	f.Add([]byte(`[{"success":true,"biz_id":"1","report_time":"2017-01-01 00:00:00","sms_size":"1"}]`))
	f.Add([]byte(`[{"success":false,"out_id":"1","err_code":"USER_REJECT"},null]`))
	g, err := aliyun.Open(aliyun.Config{AccessKeyID: id, AccessKeySecret: hidden, ReceiptSecret: secret.New(inPath)})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		gatewaytest.CheckReceipts(t, g, gateway.Post{Secret: inPath, Body: body})
	})
}
