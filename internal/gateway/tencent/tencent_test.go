package tencent_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/tencent"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/phone"
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

func template(m gateway.Message) gateway.Template {
	return gateway.Template{Sign: "示例科技", Code: "1110", Params: []gateway.Param{
		{Name: "code", Value: m.Code}, {Name: "minutes", Value: secret.New("5")},
	}}
}

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

func message(to string) gateway.Message {
	m := gateway.Message{ID: "6f0e4b6e-9d0c", Phone: phone.MustParse(to), Scene: "login", Locale: "zh", Code: secret.New("493817"), Text: secret.New("493817 ...")}
	m.Template = template(m)
	return m
}

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

// The gateway's own signature stands in for one that the template lacks.
func TestSignOfTheGateway(t *testing.T) {
	t.Parallel()
	m := message("+8613900001234")
	m.Template.Sign = ""
	got, _, err := send(t, &tencentfake.Fake{}, tencent.Config{Sign: "别的"}, m)
	if err != nil || got.SignName != "别的" {
		t.Errorf("%+v, %v", got, err)
	}
}

// The gateway's own template stands in where the message has none, with the code in it.
func TestTemplateOfTheGateway(t *testing.T) {
	t.Parallel()
	m := message("+8613900001234")
	m.Template = gateway.Template{}
	got, _, err := send(t, &tencentfake.Fake{}, tencent.Config{Sign: "别的", Template: "1110"}, m)
	if err != nil || got.SignName != "别的" || got.TemplateId != "1110" || fmt.Sprint(got.TemplateParamSet) != "[493817]" {
		t.Errorf("%+v, %v", got, err)
	}
}

// What can't be sent is not tried, and the error says what to set.
func TestWhatIsMissing(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*gateway.Message){
		"no template":  func(m *gateway.Message) { m.Template = gateway.Template{} },
		"no signature": func(m *gateway.Message) { m.Template.Sign = "" },
	} {
		m := message("+8613900001234")
		spoil(&m)
		_, err := open(t, tencent.Config{Endpoint: "http://127.0.0.1:1"}).Send(t.Context(), m)
		gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, want)
	}
}

// A key that is wrong and a clock that is wrong are faults of the settings.
func TestSignatureIsVerified(t *testing.T) {
	t.Parallel()
	late := func() time.Time { return time.Now().Add(time.Hour) }
	_, _, err := send(t, &tencentfake.Fake{Now: late}, tencent.Config{}, message("+8613900001234"))
	gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "AuthFailure.SignatureExpire")

	server := httptest.NewServer(&tencentfake.Fake{SecretID: id, SecretKey: secret.New("another")})
	defer server.Close()
	_, err = open(t, tencent.Config{Endpoint: server.URL}).Send(t.Context(), message("+8613900001234"))
	gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "AuthFailure.SignatureFailure")
}

// easy-sms#53: the carrier's own limit on a number, with its wait.
func TestLimitsOnTheNumber(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]time.Duration{
		"LimitExceeded.PhoneNumberThirtySecondLimit": 30 * time.Second, "LimitExceeded.PhoneNumberOneHourLimit": time.Hour,
		"LimitExceeded.PhoneNumberDailyLimit": 24 * time.Hour, "LimitExceeded.DeliveryFrequencyLimit": 0, "LimitExceeded.New": 0,
	} {
		fake := &tencentfake.Fake{Answer: func(tencentfake.Message) (string, string) { return code, "" }}
		_, _, err := send(t, fake, tencent.Config{}, message("+8613900001234"))
		if e := gatewaytest.WantError(t, err, gateway.Throttled, gateway.NotSent, code); e.RetryAfter != want {
			t.Errorf("%s: %s, want %s", code, e.RetryAfter, want)
		}
	}
}

func TestFaultsOfSettings(t *testing.T) {
	t.Parallel()
	_, err := tencent.Open(tencent.Config{Endpoint: "http://sms.tencentcloudapi.com", AppID: "app", Region: "AP Guangzhou"})
	for _, want := range []string{"secret_id: ", "secret_key: ", "app_id: ", "region: ", "endpoint: must be https"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := tencent.Open(tencent.Config{SecretID: id, SecretKey: hidden, AppID: "1400006666"}); err != nil {
		t.Error(err)
	}
}
