package aliyun_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aliyun"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/gateway/gatewaytest"
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

const templateCode = "SMS_153055065"

func template(m gateway.Message) gateway.Template { return gatewaytest.KeptTemplate(templateCode, m) }

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

func message(to string) gateway.Message { return gatewaytest.KeptMessage(to, templateCode) }

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

// The values go by name.
func TestKept(t *testing.T) {
	t.Parallel()
	gatewaytest.RunKept(t, gatewaytest.KeptHarness{Template: templateCode, Code: "map[code:493817]", Open: func(t *testing.T, sign, template string) (gateway.Driver, func() gatewaytest.Kept) {
		var got gatewaytest.Kept
		server := httptest.NewServer(&aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Answer: func(m aliyunfake.Message) (string, string) {
			got = gatewaytest.Kept{Sign: m.SignName, Template: m.TemplateCode, Values: fmt.Sprint(m.Params)}
			return "", "OK"
		}})
		t.Cleanup(server.Close)
		return open(t, aliyun.Config{Sign: sign, Template: template, Endpoint: server.URL}), func() gatewaytest.Kept { return got }
	}})
}

// This carrier takes values by name: one without can't be sent, and is not tried.
func TestAValueWithoutAName(t *testing.T) {
	t.Parallel()
	m := message("+8613900001234")
	m.Template.Params[0].Name = ""
	gatewaytest.WantRefusals(t, map[string]gatewaytest.Refusal{
		"no name": {Driver: open(t, aliyun.Config{Endpoint: "http://127.0.0.1:1"}), Message: m, Reason: gateway.Configuration, Says: "has no name"},
	})
}

// A key that is wrong and a clock that is wrong are faults of the settings.
func TestSignatureIsVerified(t *testing.T) {
	t.Parallel()
	late := func() time.Time { return time.Now().Add(time.Hour) }
	gatewaytest.WantRefusals(t, map[string]gatewaytest.Refusal{
		"clock": {Driver: to(t, &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Now: late}), Message: message("+8613900001234"), Reason: gateway.Configuration, Says: "InvalidTimeStamp.Expired"},
		"key":   {Driver: to(t, &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: secret.New("another")}), Message: message("+8613900001234"), Reason: gateway.Configuration, Says: "SignatureDoesNotMatch"},
	})
}

// to opens a driver in front of a fake.
func to(t *testing.T, fake *aliyunfake.Fake) gateway.Driver {
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return open(t, aliyun.Config{Endpoint: server.URL})
}

// easy-sms#53, easy-sms#83: the carrier's own limit on a number, with its wait.
func TestLimitsOnTheNumber(t *testing.T) {
	t.Parallel()
	rows := map[string]gatewaytest.Refusal{}
	for text, want := range map[string]time.Duration{
		"触发分钟级流控Permits:1": time.Minute, "触发小时级流控Permits:5": time.Hour, "触发天级流控Permits:10": 24 * time.Hour, "触发业务流控": 0,
	} {
		says := func(aliyunfake.Message) (string, string) { return "isv.BUSINESS_LIMIT_CONTROL", text }
		rows[text] = gatewaytest.Refusal{
			Driver: to(t, &aliyunfake.Fake{AccessKeyID: id, AccessKeySecret: hidden, Answer: says}), Message: message("+8613900001234"),
			Reason: gateway.Throttled, Says: "isv.BUSINESS_LIMIT_CONTROL", Wait: want,
		}
	}
	gatewaytest.WantRefusals(t, rows)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	right := func() aliyun.Config { return aliyun.Config{AccessKeyID: id, AccessKeySecret: hidden} }
	gatewaytest.WantFaults(t, right, func(c aliyun.Config) error { _, err := aliyun.Open(c); return err }, []gatewaytest.Spoiled[aliyun.Config]{
		{Spoil: func(*aliyun.Config) {}},
		{Spoil: func(c *aliyun.Config) { *c = aliyun.Config{Endpoint: "http://dysmsapi.aliyuncs.com"} },
			Want: []string{"access_key_id", "access_key_secret", "endpoint"}, Says: "endpoint: must be https"},
	})
}
