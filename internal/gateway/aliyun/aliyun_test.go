package aliyun_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

var (
	id     = secret.New("LTAI5tFakeAccessKeyId")
	hidden = secret.New("fake+access/key=secret")
)

// refusals are what the vendor says in each scenario. Its words echo the number and the code.
var refusals = map[gatewaytest.Scenario]string{
	gatewaytest.BadNumber:     "isv.MOBILE_NUMBER_ILLEGAL",
	gatewaytest.Throttled:     "isv.BUSINESS_LIMIT_CONTROL",
	gatewaytest.Configuration: "isv.SMS_TEMPLATE_ILLEGAL",
	gatewaytest.Content:       "isv.SMS_CONTENT_ILLEGAL",
	gatewaytest.Unavailable:   "Throttling.User",
}

func TestConformance(t *testing.T) {
	t.Parallel()
	gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
		Open:     func(t *testing.T, url string) gateway.Driver { return open(t, aliyun.Config{Endpoint: url}) },
		Carrier:  carrier,
		Secrets:  []string{id.Reveal(), hidden.Reveal()},
		Template: template,
	})
}

// carrier answers in the vendor's words. That the signature is right is seen in each: without, no answer is the scenario's.
func carrier(_ *testing.T, s gatewaytest.Scenario) http.Handler {
	return &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Answer: func(m aliyunfake.Message) (string, string) {
		return refusals[s], fmt.Sprintf("触发小时级流控Permits:5 %s %s", m.PhoneNumbers, m.Params["code"])
	}}
}

func template(m gateway.Message) gateway.Template {
	return gateway.Template{Sign: "示例科技", Code: "SMS_153055065", Params: []gateway.Param{
		{Name: "code", Value: m.Code}, {Name: "minutes", Value: secret.New("5")},
	}}
}

func open(t *testing.T, c aliyun.Config) *aliyun.Gateway {
	t.Helper()
	c.AccessKeyID, c.AccessKeySecret = id, hidden
	g, err := aliyun.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// send hands one message to a fake, and returns what it got.
func send(t *testing.T, fake *aliyunfake.Fake, c aliyun.Config, m gateway.Message) (aliyunfake.Message, gateway.Accepted, error) {
	t.Helper()
	var got aliyunfake.Message
	if answer := fake.Answer; answer == nil {
		fake.Answer = func(m aliyunfake.Message) (string, string) { got = m; return "", "OK" }
	}
	fake.AccessKeyID, fake.AccessKeySecret = id, hidden
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

// What the vendor is asked to send: the number in its form, and the values by name.
func TestMessage(t *testing.T) {
	t.Parallel()
	got, accepted, err := send(t, &aliyunfake.Fake{}, aliyun.Config{}, message("+8613900001234"))
	if err != nil || accepted.ProviderID != "90061974693649840001" {
		t.Fatalf("%+v, %v", accepted, err)
	}
	want := aliyunfake.Message{
		PhoneNumbers: "13900001234", SignName: "示例科技", TemplateCode: "SMS_153055065", OutID: "6f0e4b6e-9d0c",
		Params: map[string]string{"code": "493817", "minutes": "5"}, BizID: accepted.ProviderID,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the vendor got\n%+v, want\n%+v", got, want)
	}
}

// The gateway's own signature stands in for one that the template lacks.
func TestSignOfTheGateway(t *testing.T) {
	t.Parallel()
	m := message("+8613900001234")
	m.Template.Sign = ""
	got, _, err := send(t, &aliyunfake.Fake{}, aliyun.Config{Sign: "别的"}, m)
	if err != nil || got.SignName != "别的" {
		t.Errorf("%+v, %v", got, err)
	}
}

// The gateway's own template stands in where the message has none, with the code in it.
func TestTemplateOfTheGateway(t *testing.T) {
	t.Parallel()
	m := message("+8613900001234")
	m.Template = gateway.Template{}
	got, _, err := send(t, &aliyunfake.Fake{}, aliyun.Config{Sign: "别的", Template: "SMS_123456789"}, m)
	if err != nil || got.SignName != "别的" || got.TemplateCode != "SMS_123456789" || fmt.Sprint(got.Params) != "map[code:493817]" {
		t.Errorf("%+v, %v", got, err)
	}
}

// What can't be sent is not tried, and the error says what to set.
func TestWhatIsMissing(t *testing.T) {
	t.Parallel()
	for want, spoil := range map[string]func(*gateway.Message){
		"no template":  func(m *gateway.Message) { m.Template = gateway.Template{} },
		"no signature": func(m *gateway.Message) { m.Template.Sign = "" },
		"has no name":  func(m *gateway.Message) { m.Template.Params[0].Name = "" },
	} {
		m := message("+8613900001234")
		spoil(&m)
		_, err := open(t, aliyun.Config{Endpoint: "http://127.0.0.1:1"}).Send(t.Context(), m)
		gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, want)
	}
}

// A key that is wrong and a clock that is wrong are faults of the settings.
func TestSignatureIsVerified(t *testing.T) {
	t.Parallel()
	late := func() time.Time { return time.Now().Add(time.Hour) }
	_, _, err := send(t, &aliyunfake.Fake{Now: late}, aliyun.Config{}, message("+8613900001234"))
	gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "InvalidTimeStamp.Expired")

	server := httptest.NewServer(&aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: secret.New("another")})
	defer server.Close()
	_, err = open(t, aliyun.Config{Endpoint: server.URL}).Send(t.Context(), message("+8613900001234"))
	gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "SignatureDoesNotMatch")
}

// easy-sms#53, easy-sms#83: the carrier's own limit on a number, with its wait.
func TestLimitsOnTheNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"触发分钟级流控Permits:1": time.Minute, "触发小时级流控Permits:5": time.Hour, "触发天级流控Permits:10": 24 * time.Hour, "触发业务流控": 0,
	} {
		fake := &aliyunfake.Fake{Answer: func(aliyunfake.Message) (string, string) { return "isv.BUSINESS_LIMIT_CONTROL", text }}
		_, _, err := send(t, fake, aliyun.Config{}, message("+8613900001234"))
		if e := gatewaytest.WantError(t, err, gateway.Throttled, gateway.NotSent, "isv.BUSINESS_LIMIT_CONTROL"); e.RetryAfter != want {
			t.Errorf("%s: %s, want %s", text, e.RetryAfter, want)
		}
	}
}

func TestFaultsOfSettings(t *testing.T) {
	t.Parallel()
	_, err := aliyun.Open(aliyun.Config{Endpoint: "http://dysmsapi.aliyuncs.com"})
	for _, want := range []string{"access_key_id: ", "access_key_secret: ", "endpoint: must be https"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := aliyun.Open(aliyun.Config{AccessKeyID: id, AccessKeySecret: hidden}); err != nil {
		t.Error(err)
	}
}
