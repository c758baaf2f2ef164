package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/gateway/twilio/twiliofake"
	"smsd/internal/gateway/vonage/vonagefake"
	"smsd/internal/secret"
)

const (
	seenFrom      = "https://sms.example.com"
	receiptSecret = "9f2c4e61a7b84d03"
)

// at sets where carriers see the service.
func at(publicURL string) setting {
	return func(c *config.Config) {
		c.HTTP.PublicURL = publicURL
		for name, g := range c.Gateways {
			g.ReceiptsURL = publicURL + "/api/v1/gateways/" + name + "/receipts"
			c.Gateways[name] = g
		}
	}
}

// vendorOfReceipts plays a carrier: its API, the settings that lead to it, and its calls about the message that it took last: that it
// arrived, as the account's own and as another's.
type vendorOfReceipts struct {
	api     http.Handler
	block   string // with %s for the API's address
	secrets map[string]string
	calls   func(genuine bool) *http.Request
	answer  string
}

// The whole way back, for each vendor over HTTP: what it says of a message is what the records say, once, and nobody else is believed.
func TestReceiptsOfVendors(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]vendorOfReceipts{
		"aliyun": aliyunOfReceipts(), "tencent": tencentOfReceipts(), "twilio": twilioOfReceipts(), "vonage": vonageOfReceipts(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(v.api)
			t.Cleanup(server.Close)
			s := start(t, rules(cooldown), loaded(t, fmt.Sprintf(v.block, server.URL), v.secrets), at(seenFrom))
			id := s.wants(s.send(alice), "200").text("sms_id")
			if a := s.receive(v.calls(false)); a.status != http.StatusUnauthorized && a.status != http.StatusForbidden {
				t.Errorf("a forged receipt: %s", a)
			}
			if s.delivered(id) {
				t.Fatal("a forged receipt is believed")
			}
			for range 2 {
				if a := s.wants(s.receive(v.calls(true)), "200"); !strings.Contains(string(a.raw), v.answer) {
					t.Errorf("the vendor is told %s", a.raw)
				}
			}
			until(t, "delivered", func() bool { return s.delivered(id) })
			nothingOf(s, receiptSecret, westSecret, "13800138000")
		})
	}
}

// receive makes a carrier's call, which it means for where it sees the service.
func (s *service) receive(call *http.Request) answer {
	s.t.Helper()
	api, err := url.Parse(s.api)
	if err != nil {
		s.t.Fatal(err)
	}
	call.URL.Scheme, call.URL.Host, call.Host = api.Scheme, api.Host, ""
	return s.roundTrip(call.WithContext(s.t.Context()))
}

// delivered says whether the records know that the message of a verification arrived.
func (s *service) delivered(id string) bool {
	s.t.Helper()
	a := s.do(http.MethodGet, s.admin+"/api/v1/verifications?sms_id="+id, nil)
	return a.status == http.StatusOK && strings.Contains(string(a.raw), `"delivered_at"`)
}

func aliyunOfReceipts() vendorOfReceipts {
	var last aliyunfake.Message
	return vendorOfReceipts{
		api: &aliyunfake.Fake{AccessKeyID: secret.New("LTAI5t"), AccessKeySecret: secret.New(westSecret),
			Answer: func(m aliyunfake.Message) (string, string) { last = m; return "", "OK" }},
		block: "{kind: aliyun, access_key_id: LTAI5t, access_key_secret_file: FOLDER/key, sign: 示例科技, template: SMS_1, " +
			"receipt_secret_file: FOLDER/receipts, endpoint: %q}",
		secrets: map[string]string{"key": westSecret, "receipts": receiptSecret},
		calls: func(genuine bool) *http.Request {
			return aliyunfake.NewReceipts(addressWithSecret(genuine), aliyunfake.Report{OutID: last.OutID, PhoneNumber: last.PhoneNumbers, At: time.Now()})
		},
		answer: `"code":0`,
	}
}

func tencentOfReceipts() vendorOfReceipts {
	return vendorOfReceipts{
		api: &tencentfake.Fake{SecretID: secret.New("AKID"), SecretKey: secret.New(westSecret)},
		block: "{kind: tencent, secret_id: AKID, secret_key_file: FOLDER/key, app_id: '1400006666', sign: 示例科技, template: '1', " +
			"receipt_secret_file: FOLDER/receipts, endpoint: %q}",
		secrets: map[string]string{"key": westSecret, "receipts": receiptSecret},
		calls: func(genuine bool) *http.Request { // the vendor's id alone tells whose it is
			return tencentfake.NewReceipts(addressWithSecret(genuine), tencentfake.Report{SerialNo: fmt.Sprintf("5000:%023d", 1), At: time.Now()})
		},
		answer: `"result":0`,
	}
}

func addressWithSecret(genuine bool) string {
	if genuine {
		return seenFrom + "/api/v1/gateways/west/receipts/" + receiptSecret
	}
	return seenFrom + "/api/v1/gateways/west/receipts/" + strings.Repeat("0", len(receiptSecret))
}

func twilioOfReceipts() vendorOfReceipts {
	var last twiliofake.Message
	return vendorOfReceipts{
		api: &twiliofake.Fake{AccountSID: secret.New(twilioAccount), User: secret.New(twilioAccount), Password: secret.New(westSecret),
			Answer: func(m twiliofake.Message) int { last = m; return 0 }},
		block:   "{kind: twilio, account_sid: " + twilioAccount + ", auth_token_file: FOLDER/token, from: Acme, endpoint: %q}",
		secrets: map[string]string{"token": westSecret},
		calls: func(genuine bool) *http.Request {
			token := map[bool]string{true: westSecret, false: "another"}[genuine]
			return twiliofake.NewReceipt(last.StatusCallback, secret.New(token),
				twiliofake.Report{AccountSID: twilioAccount, SID: fmt.Sprintf("SM%032x", 1), Status: "delivered", To: last.To, From: "Acme"})
		},
	}
}

func vonageOfReceipts() vendorOfReceipts {
	var last vonagefake.Message
	return vendorOfReceipts{
		api: &vonagefake.Fake{APIKey: secret.New("fake1234"), APISecret: secret.New(westSecret),
			Answer: func(m vonagefake.Message) vonagefake.Refusal { last = m; return vonagefake.Refusal{} }},
		block:   "{kind: vonage, api_key: fake1234, api_secret_file: FOLDER/secret, signature_secret_file: FOLDER/signature, from: Acme, endpoint: %q}",
		secrets: map[string]string{"secret": westSecret, "signature": receiptSecret},
		calls: func(genuine bool) *http.Request {
			by := vonagefake.Signer{Secret: secret.New(map[bool]string{true: receiptSecret, false: "another"}[genuine]), APIKey: "fake1234"}
			return vonagefake.NewReceipt(seenFrom+"/api/v1/gateways/west/receipts", by, vonagefake.Report{
				ID: fmt.Sprintf("aaaaaaaa-bbbb-4ccc-8ddd-%012x", 1), ClientRef: last.ClientRef, To: last.To, Status: "delivered", At: time.Now()})
		},
	}
}
