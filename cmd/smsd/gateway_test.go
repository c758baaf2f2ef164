package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"smsd/internal/gateway/aliyun/aliyunfake"
	"smsd/internal/secret"
)

const (
	aliyunID     = "LTAI5tFakeAccessKeyId"
	aliyunSecret = "hunter2hunter2"
	testPhone    = "+8613812345678"
)

// aliyunAccount is a file of settings for a gateway over a fake of the vendor, and that fake.
func aliyunAccount(t *testing.T) (file string, fake *aliyunfake.Fake) {
	t.Helper()
	fake = &aliyunfake.Fake{AccessKeyID: secret.New(aliyunID), AccessKeySecret: secret.New(aliyunSecret), Account: aliyunfake.Account{
		Signs:     map[string]aliyunfake.Sign{"示例科技": {Status: 1}},
		Templates: map[string]aliyunfake.Template{"SMS_1": {Status: 1, Content: "您的验证码是${code}。"}},
		Balance:   "1000.19",
	}}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return settingsFile(t, "gateway: big\ngateways:\n  big: {kind: aliyun, access_key_id: "+aliyunID+", access_key_secret: "+aliyunSecret+
		", sign: 示例科技, template: SMS_1, endpoint: '"+server.URL+"'}\n"), fake
}

func settingsFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "smsd.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// onGateway runs smsd gateway with the arguments, and returns its exit code and what it has written, and sees that it tells no
// credential and no number.
func onGateway(t *testing.T, args ...string) (code int, out, errors string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), append([]string{"gateway"}, args...), nil, &stdout, &stderr)
	for _, hidden := range []string{aliyunID, aliyunSecret, testPhone, testPhone[3:]} {
		if strings.Contains(stdout.String()+stderr.String(), hidden) {
			t.Errorf("it tells %s", hidden)
		}
	}
	t.Logf("exit code %d\n%s%s", code, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestGatewayCheck(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	code, out, _ := onGateway(t, "check", "--config", file)
	wantExit(t, code, out, exitOK, "ok big settings they hold, of kind aliyun", "ok big connection", "ok big clock", "ok big credentials",
		"ok big signature 示例科技 approved", "ok big template SMS_1 approved", "ok big balance 1000.19 CNY")

	fake.Account.Balance = ""
	code, out, _ = onGateway(t, "check", "big", "big", "--config", file)
	wantExit(t, code, out, exitOK, "warning big balance nothing is left: 0.00 CNY; packages of messages are not in it; to do: fill up the account")
	if n := strings.Count(out, "\n"); n != 7 {
		t.Errorf("%d lines for a gateway that was named twice", n)
	}

	fake.Account.Signs = nil
	code, out, errors := onGateway(t, "check", "--config", file)
	wantExit(t, code, out+errors, exitFailure, "FINDING big signature 示例科技 the account has none of that name: isv.SMS_SIGNATURE_ILLEGAL; to do: see", "smsd: 1 finding")
}

// policyFile has a template of the carrier's for each language but de.
func policyFile(t *testing.T) string {
	t.Helper()
	return settingsFile(t, `
limits: [{name: hour, by: [phone], limit: 5, window: 1h}]
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: [CN]
    templates:
      en: {text: "{{.Code}} is your code.", gateways: {big: {code: SMS_2, sign: 示例科技, params: {code: "{{.Code}}", min: "{{.Minutes}}"}}}}
      zh: {text: "验证码{{.Code}}", gateways: {big: {code: SMS_2, sign: 示例科技, params: {code: "{{.Code}}", min: "{{.Minutes}}"}}}}
      de: "{{.Code}} ist Ihr Code."
`)
}

// The policy's templates are asked about, each once, and that they are there for all languages.
func TestGatewayCheckPolicy(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	code, out, _ := onGateway(t, "check", "--config", file, "--policy-file", policyFile(t))
	wantExit(t, code, out, exitFailure, "FINDING big template SMS_2 the account has none of that name", "ok big template SMS_1 approved")
	fake.Account.Templates["SMS_2"] = aliyunfake.Template{Status: 1, Content: "${code} ${minutes}"}
	code, out, _ = onGateway(t, "check", "--config", file, "--policy-file", policyFile(t))
	wantExit(t, code, out, exitFailure, `FINDING big template SMS_2 it has "minutes", for which nothing is sent, and what is sent as "min" has no place in it`)
	fake.Account.Templates["SMS_2"] = aliyunfake.Template{Status: 1, Content: "${code} ${min}"}
	code, out, _ = onGateway(t, "check", "--config", file, "--policy-file", policyFile(t))
	wantExit(t, code, out, exitOK, "ok big template SMS_2 approved", "ok big template SMS_1 approved")
	if n := strings.Count(out, "template SMS_2"); n != 1 {
		t.Errorf("SMS_2 is told %d times", n)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	alone := settingsFile(t, strings.Replace(string(text), "template: SMS_1, ", "", 1))
	code, out, _ = onGateway(t, "check", "--config", alone, "--policy-file", policyFile(t))
	wantExit(t, code, out, exitOK, "warning big template messages of some scenes or languages have none, and this carrier would refuse those", "ok big template SMS_2 approved")

	var got aliyunfake.Message
	fake.Answer = func(m aliyunfake.Message) (string, string) { got = m; return "", "" }
	code, out, _ = onGateway(t, "send-test", "--to", testPhone, "--locale", "zh-Hans", "--yes", "--config", alone, "--policy-file", policyFile(t))
	wantExit(t, code, out, exitOK, "sent to +86 138****5678, scene login, language zh, template SMS_2")
	if got.TemplateCode != "SMS_2" || got.Params["min"] != "5" || len(got.Params["code"]) != 6 {
		t.Errorf("sent: %+v", got)
	}
}

func TestGatewayCheckJSON(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	fake.Account.Templates["SMS_1"] = aliyunfake.Template{Status: 2, Reason: "错别字"}
	code, out, _ := onGateway(t, "check", "--json", "--config", file)
	var all []examined
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != exitFailure || len(all) != 7 {
		t.Fatalf("exit code %d, %d findings, %v", code, len(all), err)
	}
	if got := all[5]; got != (examined{"big", "template SMS_1", "finding", "rejected: 错别字", "change it in the carrier's console and submit it again, or use another"}) {
		t.Errorf("%+v", got)
	}
}

// Nothing but the gateways and the policy need be in order, and what is not is told before any carrier is asked.
func TestGatewayCheckFaults(t *testing.T) {
	t.Parallel()
	code, out, _ := onGateway(t, "check", "--profile", "production", "--allow-mock")
	wantExit(t, code, out, exitOK, "ok mock carrier there is none: messages reach nobody")
	file := settingsFile(t, "gateway: big\ngateways:\n  big: {kind: aliyun}\n")
	code, _, errors := onGateway(t, "check", "--config", file)
	wantExit(t, code, errors, exitUsage, "gateways.big.access_key_id: must be given", "2 faults")
	file, _ = aliyunAccount(t)
	code, _, errors = onGateway(t, "check", "small", "--config", file)
	wantExit(t, code, errors, exitUsage, `no gateway "small"; the settings have big`, "See: smsd gateway check --help")
}

var sixDigits = regexp.MustCompile(`[0-9]{6}`)

func TestGatewaySendTest(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	var got []aliyunfake.Message
	refusal := ""
	fake.Answer = func(m aliyunfake.Message) (string, string) {
		got = append(got, m)
		return refusal, m.PhoneNumbers + m.Params["code"]
	}
	code, out, _ := onGateway(t, "send-test", "--to", testPhone, "--yes", "--config", file)
	wantExit(t, code, out, exitOK, "big: accepted, as 90061974693649840001 sent to +86 138****5678, scene login, language en", "to do: look at the phone")
	if len(got) != 1 || got[0].PhoneNumbers != "13812345678" || !sixDigits.MatchString(got[0].Params["code"]) || strings.Contains(out, got[0].Params["code"]) {
		t.Fatalf("sent: %+v", got)
	}

	for code, want := range map[string]string{
		"isv.SMS_SIGNATURE_ILLEGAL":     "big: configuration: the carrier says isv.SMS_SIGNATURE_ILLEGAL surely not sent to +86 138****5678, scene payment, language zh",
		"BUSINESS_LIMIT_CONTROL_MINUTE": "the carrier asks to wait 1m0s to do: wait, or try another phone",
		"isp.SYSTEM_ERROR":              "big: ambiguous: nobody can tell what became of it: the carrier says isp.SYSTEM_ERROR perhaps sent to",
	} {
		refusal = code
		code, out, errors := onGateway(t, "send-test", "big", "--to", "0086 138-1234-5678", "--scene", "payment", "--locale", "zh-CN", "-y", "--config", file)
		wantExit(t, code, out+errors, exitFailure, want, "smsd: the carrier has not said that it took the message")
	}
	if len(got) != 4 {
		t.Errorf("%d messages for four calls", len(got))
	}
	if got[0].Params["code"] == got[1].Params["code"] && got[1].Params["code"] == got[2].Params["code"] {
		t.Error("the same code each time")
	}
}

func TestGatewaySendTestJSON(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	fake.Answer = func(aliyunfake.Message) (string, string) { return "isv.MOBILE_NUMBER_ILLEGAL", "" }
	code, out, _ := onGateway(t, "send-test", "--to", testPhone, "--yes", "--json", "--config", file)
	var f fate
	if err := json.Unmarshal([]byte(out), &f); err != nil || code != exitFailure {
		t.Fatalf("exit code %d, %v", code, err)
	}
	if f.Outcome != "bad_number" || f.Sent != "no" || f.Phone != "+86 138****5678" || f.Means == "" || f.Do == "" {
		t.Errorf("%+v", f)
	}
}

// Nothing is sent where somebody might not have meant it.
func TestGatewaySendTestRefuses(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	fake.Answer = func(aliyunfake.Message) (string, string) { t.Error("a message was sent"); return "", "" }
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "--to is needed"},
		{[]string{"--to", "13812345678", "--yes"}, "--to: "},
		{[]string{"--to", testPhone, "--yes", "--scene", "gossip"}, `no scene "gossip"; the policy has login, payment, register, reset_password`},
		{[]string{"small", "--to", testPhone, "--yes"}, `no gateway "small"; the settings have big`},
		{[]string{"big", "big", "--to", testPhone, "--yes"}, "needs one gateway, got 2"},
	} {
		code, _, errors := onGateway(t, append(append([]string{"send-test"}, c.args...), "--config", file)...)
		wantExit(t, code, errors, exitUsage, c.want, "See: smsd gateway send-test --help")
	}
}

// Without a terminal nobody can be asked; a device that is none gives no answer.
func TestGatewaySendTestAsks(t *testing.T) {
	t.Parallel()
	file, fake := aliyunAccount(t)
	fake.Answer = func(aliyunfake.Message) (string, string) { t.Error("a message was sent"); return "", "" }
	pipe, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		in   *os.File
		code int
		want string
	}{
		{pipe, exitUsage, "nothing was sent: it costs money, and there is no terminal to ask on; give --yes"},
		{null, exitFailure, "****** is your login code"},
	} {
		var out bytes.Buffer
		command := newRoot(nil)
		command.SetArgs([]string{"gateway", "send-test", "--to", testPhone, "--config", file})
		command.SetIn(c.in)
		command.SetErr(&out)
		code := report(&out, command.Execute())
		wantExit(t, code, out.String(), c.code, c.want, "nothing was sent")
	}
}

// All gateways are asked at once: here each answers only when the other was asked as well.
func TestGatewayCheckAtOnce(t *testing.T) {
	t.Parallel()
	_, fake := aliyunAccount(t)
	var both sync.WaitGroup
	both.Add(2)
	block := "gateway: one\ngateways:\n"
	for _, name := range []string{"one", "two"} {
		var first sync.Once
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			first.Do(func() { both.Done(); both.Wait() })
			fake.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		block += "  " + name + ": {kind: aliyun, access_key_id: " + aliyunID + ", access_key_secret: " + aliyunSecret + ", sign: 示例科技, template: SMS_1, endpoint: '" + server.URL + "'}\n"
	}
	code, out, _ := onGateway(t, "check", "two", "one", "--config", settingsFile(t, block))
	wantExit(t, code, out, exitOK, "ok two credentials", "ok one credentials")
	if strings.Index(out, "two") > strings.Index(out, "one") {
		t.Error("they are not told in the order in which they were named")
	}
}
