package tencent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/tencent"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/secret"
)

var (
	id     = secret.New("AKIDFakeSecretId")
	hidden = secret.New("fake+access/key=secret")
)

// refusals are what the vendor says in each scenario. Its words echo the number and the code.
var refusals = map[gatewaytest.Scenario]string{
	gatewaytest.BadNumber:     "FailedOperation.PhoneNumberInBlacklist",
	gatewaytest.Throttled:     "LimitExceeded.PhoneNumberOneHourLimit",
	gatewaytest.Configuration: "FailedOperation.TemplateIncorrectOrUnapproved",
	gatewaytest.Content:       "FailedOperation.ContainSensitiveWord",
	gatewaytest.Unavailable:   "LimitExceeded.GlobalSmsSendingRateLimit",
}

func TestConformance(t *testing.T) {
	t.Parallel()
	gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
		Open:     func(t *testing.T, url string) gateway.Driver { return open(t, tencent.Config{Endpoint: url}) },
		Carrier:  carrier,
		Secrets:  []string{id.Reveal(), hidden.Reveal()},
		Template: template,
	})
}

// carrier answers in the vendor's words. That the signature is right is seen in each: without, no answer is the scenario's.
func carrier(_ *testing.T, s gatewaytest.Scenario) http.Handler {
	return &tencentfake.Fake{SecretID: id, SecretKey: hidden, Answer: func(m tencentfake.Message) (string, string) {
		return refusals[s], fmt.Sprintf("the limit is reached: %s %s", m.PhoneNumberSet, m.TemplateParamSet)
	}}
}

const templateCode = "1110"

func template(m gateway.Message) gateway.Template { return gatewaytest.KeptTemplate(templateCode, m) }

func open(t *testing.T, c tencent.Config) *tencent.Gateway {
	t.Helper()
	c.SecretID, c.SecretKey, c.AppID = id, hidden, "1400006666"
	g, err := tencent.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// send hands one message to a fake, and returns what it got.
func send(t *testing.T, fake *tencentfake.Fake, c tencent.Config, m gateway.Message) (tencentfake.Message, gateway.Accepted, error) {
	t.Helper()
	var got tencentfake.Message
	if answer := fake.Answer; answer == nil {
		fake.Answer = func(m tencentfake.Message) (string, string) { got = m; return "", "OK" }
	}
	fake.SecretID, fake.SecretKey = id, hidden
	server := httptest.NewServer(fake)
	defer server.Close()
	c.Endpoint = server.URL
	accepted, err := open(t, c).Send(t.Context(), m)
	return got, accepted, err
}

func message(to string) gateway.Message { return gatewaytest.KeptMessage(to, templateCode) }

// What the vendor is asked to send: the number in E.164, and the values in the template's order.
func TestMessage(t *testing.T) {
	t.Parallel()
	got, accepted, err := send(t, &tencentfake.Fake{}, tencent.Config{Region: "ap-nanjing", SenderID: "Example"}, message("+8613900001234"))
	if err != nil || accepted.ProviderID != "5000:00000000000000000000001" {
		t.Fatalf("%+v, %v", accepted, err)
	}
	want := tencentfake.Message{
		PhoneNumberSet: []string{"+8613900001234"}, TemplateParamSet: []string{"493817", "5"}, SmsSdkAppId: "1400006666",
		TemplateId: "1110", SignName: "示例科技", SessionContext: "6f0e4b6e-9d0c", Region: "ap-nanjing", SerialNo: accepted.ProviderID,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the vendor got\n%+v, want\n%+v", got, want)
	}
}

// Elsewhere a signature is not needed, and the sender may have a name.
func TestMessageToAnotherCountry(t *testing.T) {
	t.Parallel()
	m := message("+12025550101")
	m.Template.Sign, m.Template.Params = "", nil
	got, _, err := send(t, &tencentfake.Fake{}, tencent.Config{SenderID: "Example"}, m)
	if err != nil || got.SenderId != "Example" || got.SignName != "" || got.Region != "ap-guangzhou" || got.TemplateParamSet == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// The values go by their places.
func TestKept(t *testing.T) {
	t.Parallel()
	gatewaytest.RunKept(t, gatewaytest.KeptHarness{Template: templateCode, Code: "[493817]", Open: func(t *testing.T, sign, template string) (gateway.Driver, func() gatewaytest.Kept) {
		var got gatewaytest.Kept
		server := httptest.NewServer(&tencentfake.Fake{SecretID: id, SecretKey: hidden, Answer: func(m tencentfake.Message) (string, string) {
			got = gatewaytest.Kept{Sign: m.SignName, Template: m.TemplateId, Values: fmt.Sprint(m.TemplateParamSet)}
			return "", "OK"
		}})
		t.Cleanup(server.Close)
		return open(t, tencent.Config{Sign: sign, Template: template, Endpoint: server.URL}), func() gatewaytest.Kept { return got }
	}})
}

// A key that is wrong and a clock that is wrong are faults of the settings.
func TestSignatureIsVerified(t *testing.T) {
	t.Parallel()
	late := func() time.Time { return time.Now().Add(time.Hour) }
	gatewaytest.WantRefusals(t, map[string]gatewaytest.Refusal{
		"clock": {Driver: to(t, &tencentfake.Fake{SecretID: id, SecretKey: hidden, Now: late}), Message: message("+8613900001234"), Reason: gateway.Configuration, Says: "AuthFailure.SignatureExpire"},
		"key":   {Driver: to(t, &tencentfake.Fake{SecretID: id, SecretKey: secret.New("another")}), Message: message("+8613900001234"), Reason: gateway.Configuration, Says: "AuthFailure.SignatureFailure"},
	})
}

// to opens a driver in front of a fake.
func to(t *testing.T, fake *tencentfake.Fake) gateway.Driver {
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return open(t, tencent.Config{Endpoint: server.URL})
}

// easy-sms#53: the carrier's own limit on a number, with its wait.
func TestLimitsOnTheNumber(t *testing.T) {
	t.Parallel()
	rows := map[string]gatewaytest.Refusal{}
	for code, want := range map[string]time.Duration{
		"LimitExceeded.PhoneNumberThirtySecondLimit": 30 * time.Second, "LimitExceeded.PhoneNumberOneHourLimit": time.Hour,
		"LimitExceeded.PhoneNumberDailyLimit": 24 * time.Hour, "LimitExceeded.DeliveryFrequencyLimit": 0, "LimitExceeded.New": 0,
	} {
		says := func(tencentfake.Message) (string, string) { return code, "" }
		rows[code] = gatewaytest.Refusal{
			Driver: to(t, &tencentfake.Fake{SecretID: id, SecretKey: hidden, Answer: says}), Message: message("+8613900001234"),
			Reason: gateway.Throttled, Says: code, Wait: want,
		}
	}
	gatewaytest.WantRefusals(t, rows)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	right := func() tencent.Config { return tencent.Config{SecretID: id, SecretKey: hidden, AppID: "1400006666"} }
	gatewaytest.WantFaults(t, right, func(c tencent.Config) error { _, err := tencent.Open(c); return err }, []gatewaytest.Spoiled[tencent.Config]{
		{Spoil: func(*tencent.Config) {}},
		{Spoil: func(c *tencent.Config) {
			*c = tencent.Config{Endpoint: "http://sms.tencentcloudapi.com", AppID: "app", Region: "AP Guangzhou"}
		}, Want: []string{"app_id", "endpoint", "region", "secret_id", "secret_key"}, Says: "endpoint: must be https"},
	})
}
