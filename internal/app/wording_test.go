package app

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"smsd/internal/config"
	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/gateway/tencent/tencentfake"
	"smsd/internal/secret"
)

// chinese is a policy with a wording for each carrier of China, and two apps that say the same of two products.
const chinese = `
variables: {Product: 示例}
scenes:
  login:
    code: {length: 10} # too long to be met by chance
    countries: [CN]
    templates:
      en: "{{.Code}} is your code for {{.Product}}."
      zh:
        text: "{{.Product}}登录验证码：{{.Code}}，{{.Minutes}}分钟内有效。"
        sign: 示例科技
        gateways:
          first:  {code: SMS_123456789, params: {code: "{{.Code}}", min: "{{.Minutes}}", product: "{{.Product}}"}}
          second: {code: "449739", sign: 示例, params: ["{{.Code}}", "{{.Minutes}}"]}
    limits: [{name: burst, by: [phone], limit: 9, window: 1h}]
apps:
  default:
    variables: {Product: 商店}
`

// The whole way to two carriers that keep the texts: one takes what is put in by name, and the other, which is asked since the
// first would not, by place. Each gets its own signature, and an app's own variables; and the code that came verifies.
func TestTemplatesThatCarriersKeep(t *testing.T) {
	t.Parallel()
	var ali aliyunfake.Message
	var ten tencentfake.Message
	first := httptest.NewServer(&aliyunfake.Fake{AccessKeyID: secret.New("an id"), AccessKeySecret: secret.New(westSecret),
		Answer: func(m aliyunfake.Message) (string, string) {
			ali = m
			return "isv.SMS_TEMPLATE_ILLEGAL", "no such template"
		}})
	t.Cleanup(first.Close)
	second := httptest.NewServer(&tencentfake.Fake{SecretID: secret.New("an id"), SecretKey: secret.New(westSecret),
		Answer: func(m tencentfake.Message) (string, string) { ten = m; return "", "" }})
	t.Cleanup(second.Close)
	s := start(t, chinese, fromFile(t, fmt.Sprintf(`
gateway: [first, second]
gateways:
  first:  {kind: aliyun, access_key_id: an id, access_key_secret: %[1]s, sign: 别的, template: SMS_1, endpoint: %[2]q}
  second: {kind: tencent, secret_id: an id, secret_key: %[1]s, app_id: "1400006666", template: "1", endpoint: %[3]q}
`, westSecret, first.URL, second.URL)))

	id := s.wants(s.post("send", fields{"phone": alice, "scene": "login", "locale": "zh-CN"}), "200").text("sms_id")
	code := ali.Params["code"]
	if got := fmt.Sprint(ali.SignName, ali.TemplateCode, ali.Params); got != "示例科技SMS_123456789"+fmt.Sprint(map[string]string{"code": code, "min": "5", "product": "商店"}) {
		t.Errorf("the first carrier got %s", got)
	}
	if got := fmt.Sprint(ten.SignName, ten.TemplateId, ten.TemplateParamSet); len(code) != 10 || got != "示例449739["+code+" 5]" {
		t.Errorf("the second carrier got %s", got)
	}
	s.wants(s.verify(id, code), "200")
	nothingOf(s, westSecret, code)
}

// fromFile is what a settings file says of gateways.
func fromFile(t *testing.T, text string) setting {
	t.Helper()
	file := filepath.Join(t.TempDir(), "smsd.yaml")
	write(t, file, text)
	cfg, err := config.Load(config.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	if faults := checkGateways(cfg); len(faults) != 0 {
		t.Fatal(faults)
	}
	return func(c *config.Config) { c.Gateway, c.Gateways = cfg.Gateway, cfg.Gateways }
}

// A browser's languages choose the text where the body does not, the body's locale goes before them, and what no browser sends
// is no fault. A language without a wording of its own for a carrier is said as it stands: here by the mock gateway.
func TestLanguageOfTheHeader(t *testing.T) {
	t.Parallel()
	s := start(t, strings.ReplaceAll(chinese, "second:", "mock:"))
	for _, c := range []struct{ header, locale, begins string }{
		{"fr-CH, zh-CN;q=0.9, en;q=0.8", "", "【示例】商店登录验证码："}, {"zh", "en", ""}, {"", "", ""}, {"*", "", ""},
		{strings.Repeat("zh;q=nonsense,\\", 60), "", ""}, {"zh-CN, zh;q=0.9", "", "【示例】商店登录验证码："},
	} {
		body := fields{"phone": alice, "scene": "login"}
		if c.locale != "" {
			body["locale"] = c.locale
		}
		answer := s.wants(s.with("Accept-Language", c.header).post("send", body), "200")
		found := s.inbox("sms_id=" + answer.text("sms_id"))
		if len(found) != 1 {
			t.Fatalf("%q: %d messages", c.header, len(found))
		}
		if text := found[0].Text; !strings.HasPrefix(text, c.begins) || c.begins == "" && !strings.HasSuffix(text, " is your code for 商店.") {
			t.Errorf("%.40q, locale %q: %q", c.header, c.locale, text)
		}
	}
}

// A wording for a gateway that is not there is never used, and neither is its price, which their author should hear.
func TestWordingsForGatewaysThatAreNotThere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	prices := "prices: [{gateways: [mock, third], countries: [CN], segment: 0.045 CNY}, {gateways: [third], segment: 0.05 CNY}]\n"
	write(t, file, prices+strings.ReplaceAll(chinese, "second:", "mock:"))
	_, warnings, err := CheckPolicyFor(settings(t), file, nil)
	want := []string{
		file + ": scene login has a wording in zh for gateway first, which the settings lack",
		file + ": a price is of gateway third, which the settings lack",
	}
	if err != nil || !slices.Equal(warnings, want) {
		t.Errorf("%q, %v", warnings, err)
	}
}

// What is odd in a policy is logged once at the start, by whoever loads it.
func TestWarningsOfThePolicyAreLoggedOnce(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	cfg.PolicyFile = filepath.Join(t.TempDir(), "policy.yaml")
	write(t, cfg.PolicyFile, chinese+"block: [{ip_net: 0.0.0.0/0}]\n")
	var log bytes.Buffer
	a, err := New(cfg, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "block[0]"); n != 1 {
		t.Errorf("%d times:\n%s", n, log.String())
	}
	if !strings.Contains(log.String(), "gateway first, which the settings lack") {
		t.Errorf("the log does not tell of the gateway that is not there:\n%s", log.String())
	}
}
