package sms_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"smsd/internal/address"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

func TestSendAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	if len(sent.SMSID) != 36 || len(sent.Usages()) == 0 {
		t.Errorf("sms_id %q, %d usages", sent.SMSID, len(sent.Usages()))
	}
	sent = sent.Outward()
	sent.SMSID = ""
	want := sms.Sent{
		Scene: "login", Phone: phone.MustParse(alice), CodeLength: 6, Attempts: 5, ExpiresIn: 5 * time.Minute,
		ExpiresAt: r.stores.Now().Add(5 * time.Minute), ResendIn: time.Minute, Delivery: sms.DeliveryAccepted,
	}
	if !reflect.DeepEqual(sent, want) {
		t.Errorf("got  %+v\nwant %+v", sent, want)
	}
}

// makeradmin 651, packetfence 3473: the text has all the digits, the gateway gets pure E.164.
func TestTheMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(sms.SendRequest{Phone: "+86 138-0013-8000", Scene: "login", Locale: "zh-CN", Client: home})
	m := r.newest(alice)
	if m.Phone.E164() != alice || m.SMSID != sent.SMSID || m.Scene != "login" {
		t.Errorf("message %+v to %s", m, m.Phone.E164())
	}
	if want := "登录验证码：" + m.Code.Reveal() + "，5分钟内有效。请勿告诉任何人。"; m.Text.Reveal() != want {
		t.Errorf("text %q, want %q", m.Text.Reveal(), want)
	}
	r.send(sms.SendRequest{Phone: bob, Scene: "login", Client: home})
	if text := r.newest(bob).Text.Reveal(); !strings.HasSuffix(text, " is your login code. It works for 5 minutes. Never share it.") {
		t.Errorf("text %q", text)
	}
}

func TestLeadingZeroesAreKept(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{random: fixed(12345)})
	sent := r.send(ask(alice))
	if text := r.newest(alice).Text.Reveal(); !strings.HasPrefix(text, "012345 is") {
		t.Errorf("text %q", text)
	}
	// GoogleAuth 37: the code without its zero is no code of this length, and costs no attempt.
	r.verifies(sent.SMSID, "12345", field("/code", "invalid"))
	r.verifies(sent.SMSID, "012346", incorrect(4))
	r.verifies(sent.SMSID, "012345", nil)
}

// fixed is a random source that draws one value for ever.
type fixed uint64

func (f fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f >> (8 * (len(p) - 1 - i)))
	}
	return len(p), nil
}

// vellum-assistant PR 14132, Truxify#1253, rack-attack#493: one person, however the number is written.
func TestSpellingsAreOneBucket(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.send(ask(alice))
	for _, spelling := range []string{
		"+86 138-0013-8000", "008613800138000", "＋８６１３８００１３８０００", "+8613800138000\u00a0", "(+86) 138 0013 8000",
		"+٨٦١٣٨٠٠١٣٨٠٠٠",
	} {
		if denied := r.refused(ask(spelling)); denied.Rule != "login/cooldown" && denied.Rule != "cooldown" {
			t.Errorf("%q is refused by %q", spelling, denied.Rule)
		}
	}
	q := ask("138 0013 8000")
	q.Region = "cn"
	r.refused(q)
	r.countMessages(alice, 1)
}

// casdoor 1612: a national number needs a region, and is told so.
func TestNationalNumbers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	var malformed *phone.Error
	if _, err := r.Send(r.ctx(), ask("13800138000")); !errors.As(err, &malformed) || !strings.Contains(malformed.Hint, "region") {
		t.Errorf("without a region: %v", err)
	}
	q := ask("13800138000")
	q.Region = "CN"
	r.send(q)
	r.countMessages(alice, 1)

	r = newRig(t, setup{policy: with("default_region: CN")})
	r.send(ask("13800138000"))
	q = ask("2025550100")
	q.Region = "US"
	r.send(q)
	r.countMessages("+12025550100", 1)
}

// with is a policy of one scene, login, with further lines, and without limits unless they bring some.
func with(lines ...string) string {
	text := `
scenes:
  login:
    code: {length: 6, ttl: 5m, attempts: 5}
    countries: ["*"]
    number_types: [mobile, fixed_or_mobile]
    templates: {en: "{{.Code}} {{.Minutes}}"}
`
	for _, line := range lines {
		if !strings.HasPrefix(line, "\n") { // else it is of the policy, not of the scene
			line = "    " + line
		}
		text += line + "\n"
	}
	return text
}

func TestSendRefusesBadInput(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("require: [device]",
		"limits: [{name: once, by: [phone], limit: 1, window: 1h}, {name: addr, by: [ip], limit: 1, window: 1h}]")})
	good := sms.SendRequest{Phone: alice, Scene: "login", DeviceID: "d", Client: home}
	for name, c := range map[string]struct {
		change func(*sms.SendRequest)
		want   error
	}{
		"no scene":                      {func(q *sms.SendRequest) { q.Scene = "" }, field("/scene", "required")},
		"an unknown scene":              {func(q *sms.SendRequest) { q.Scene = "Login" }, sms.ErrUnknownScene},
		"a scene of 1 MB":               {func(q *sms.SendRequest) { q.Scene = strings.Repeat("x", 1<<20) }, sms.ErrUnknownScene},
		"no phone":                      {func(q *sms.SendRequest) { q.Phone = "" }, field("/phone", "required")},
		"no device":                     {func(q *sms.SendRequest) { q.DeviceID = "" }, field("/device_id", "required")},
		"a blank device":                {func(q *sms.SendRequest) { q.DeviceID = " \t"[:1] }, field("/device_id", "required")},
		"a long device":                 {func(q *sms.SendRequest) { q.DeviceID = strings.Repeat("x", sms.MaxDeviceID+1) }, field("/device_id", "invalid")},
		"a device with NUL":             {func(q *sms.SendRequest) { q.DeviceID = "a\x00" }, field("/device_id", "invalid")},
		"a device, not UTF-8":           {func(q *sms.SendRequest) { q.DeviceID = "a\xff" }, field("/device_id", "invalid")},
		"a long locale":                 {func(q *sms.SendRequest) { q.Locale = strings.Repeat("x", sms.MaxLocale+1) }, field("/locale", "invalid")},
		"a locale with CR":              {func(q *sms.SendRequest) { q.Locale = "en\r\n" }, field("/locale", "invalid")},
		"a region's name":               {func(q *sms.SendRequest) { q.Region = "China" }, field("/region", "invalid")},
		"a region of digits":            {func(q *sms.SendRequest) { q.Region = "86" }, field("/region", "invalid")},
		"n8n#24636: 1 MB":               {func(q *sms.SendRequest) { q.Phone = strings.Repeat("1", 1<<20) }, phone.ErrInvalid},
		"n8n#24636: NUL":                {func(q *sms.SendRequest) { q.Phone = alice + "\x00" }, phone.ErrInvalid},
		"n8n#24636: not UTF-8":          {func(q *sms.SendRequest) { q.Phone = alice + "\xff" }, phone.ErrInvalid},
		"two numbers":                   {func(q *sms.SendRequest) { q.Phone = "+8613800138000,+8613900139000" }, phone.ErrInvalid},
		"CR LF inside":                  {func(q *sms.SendRequest) { q.Phone = "+86138\r\n00138000" }, phone.ErrInvalid},
		"a possible number in no range": {func(q *sms.SendRequest) { q.Phone = "+8612000138000" }, phone.ErrInvalid},
		"a country not served":          {func(q *sms.SendRequest) { q.Phone = "+881612345678" }, sms.ErrDestinationNotAllowed},
		"a fixed line":                  {func(q *sms.SendRequest) { q.Phone = "+861062801234" }, sms.ErrDestinationNotAllowed},
	} {
		q := good
		c.change(&q)
		_, err := r.Send(r.ctx(), q)
		var f, wantField *sms.FieldError
		if errors.As(c.want, &wantField) {
			if !errors.As(err, &f) || *f != *wantField {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		} else if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	// None of it cost anything: with limits of one, the good request still passes.
	r.send(good)
	r.refused(good)
	if r.codes.Len() != 1 || len(r.inbox.Messages(mockAll)) != 1 {
		t.Errorf("%d codes, %d messages", r.codes.Len(), len(r.inbox.Messages(mockAll)))
	}
}

// supabase/auth PR 788: odd and missing fields run into the limiter in front, which costs no store.
func TestLocalLimiterRunsForBadInputToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{local: throttle.LocalOptions{Rate: 1000, Burst: 1000, IPRate: 0.001, IPBurst: 3}})
	for range 3 {
		r.sendFails(sms.SendRequest{Client: home}, field("/scene", "required"))
	}
	if denied := r.refused(sms.SendRequest{Client: home}); denied.Rule != throttle.LocalAddress || denied.RetryAfter <= 0 {
		t.Errorf("refused by %+v", denied.Decision)
	}
	q := ask(alice)
	q.Client = cafe // another address has its own
	r.send(q)
}

func TestLocalLimiterRunsForEveryCall(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{local: throttle.LocalOptions{Rate: 1000, Burst: 1000, IPRate: 0.001, IPBurst: 1}})
	var denied *throttle.Denied
	r.verifies("x", "", field("/code", "required")) // sends and verifies have their own
	if _, err := r.submit("x", ""); !errors.As(err, &denied) || denied.Rule != throttle.LocalAddress {
		t.Errorf("a second verify: %v", err)
	}
	r.resendFails("x", sms.ErrNotFound)
	if _, err := r.Resend(r.ctx(), sms.ResendRequest{Client: home}); !errors.As(err, &denied) || denied.Rule != throttle.LocalAddress {
		t.Errorf("a second resend: %v", err)
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("\nblock:\n" +
		"  - {phone: \"+8613900000000\", reason: reason-of-alice}\n" +
		"  - {prefix: \"+4474001\", reason: fraud, until: 2026-12-31}\n" +
		"  - {ip_net: 198.51.100.0/24, reason: fraud}\n" +
		"  - {country: DE, reason: fraud}")})
	r.sendFails(ask("+8613900000000"), sms.ErrBlocked)
	r.sendFails(ask(bob), sms.ErrBlocked)
	r.sendFails(ask("+4915112345678"), sms.ErrBlocked)
	q := ask(alice)
	q.Client = cafe
	r.sendFails(q, sms.ErrBlocked)
	r.send(ask(alice))
	r.pass(60 * 24 * time.Hour)
	r.send(ask(bob))
	if !strings.Contains(r.log.String(), "reason-of-alice") { // for the operator; the client is not told
		t.Errorf("the log lacks the reason:\n%s", r.log)
	}
}

// supabase/cli 3656: a test number in a loop costs no quota and sends nothing.
func TestTestNumbers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with(
		"limits: [{name: once, by: [ip], limit: 1, window: 1h}, {name: two, by: [phone], limit: 1, window: 1h}]",
		"\ntest_numbers: [{phone: \"+8613800138000\", code: \"0000\", until: 2026-12-31}]")})
	for range 20 {
		sent := r.send(ask(alice))
		if sent.CodeLength != 4 || sent.ResendIn != 0 || sent.ExpiresIn != 5*time.Minute {
			t.Fatalf("answer %+v", sent)
		}
		if _, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home}); err != nil {
			t.Fatalf("resend: %v", err)
		}
		r.verifies(sent.SMSID, "0001", incorrect(4))
		if v := r.verifies(sent.SMSID, "0000", nil); v.Phone != phone.MustParse(alice) {
			t.Fatalf("verified %v", v)
		}
		r.verifies(sent.SMSID, "0000", sms.ErrUsed)
	}
	r.countMessages(alice, 0)
	r.send(ask(bob)) // the address's quota is whole

	// Past its end it is a number like any other.
	r.pass(60 * 24 * time.Hour)
	r.send(ask(alice))
	r.countMessages(alice, 1)
	r.refused(ask(alice))
}

// kratos PR 4606: the code of a test number is always the same, so guesses are bounded as for any number.
func TestGuessesOfTestNumbersAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with(
		"limits: [{name: guesses, by: [phone, scene], limit: 7, window: 1h, on: guess}]",
		"\ntest_numbers: [{phone: \"+8613800138000\", code: \"0000\", until: 2026-12-31}]")})
	first, second := r.send(ask(alice)), r.send(ask(alice))
	for left := 4; left >= 0; left-- {
		r.verifies(first.SMSID, "0001", incorrect(left))
	}
	r.verifies(second.SMSID, "0001", incorrect(4))
	r.verifies(second.SMSID, "0001", incorrect(3))
	if denied := r.refused(ask(alice)); denied.Rule != "login/guesses" || denied.RetryAfter <= 0 {
		t.Errorf("refused by %+v", denied)
	}
	r.verifies(second.SMSID, "0000", nil) // never the check of a code that is out
	r.pass(time.Hour)
	r.send(ask(alice))
}

// What costs no quota must not fill the store either.
func TestSendsToTestNumbersAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("\ntest_numbers: [{phone: \"+8613800138000\", code: \"0000\", until: 2026-12-31}]")})
	for range 200 {
		r.send(ask(alice))
	}
	denied := r.refused(ask(alice))
	if denied.Rule != "local-test-numbers" || denied.RetryAfter <= 0 {
		t.Fatalf("refused by %+v", denied)
	}
	r.send(ask(bob))
	r.pass(denied.RetryAfter)
	r.send(ask(alice))
}

// openwisp-radius PR 790, care PR 3630: one more than the limit in parallel is one too many.
func TestHundredParallelSends(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: five, by: [phone], limit: 5, window: 1h}]")})
	tally := inParallel(100, func(int) error {
		_, err := r.Send(r.ctx(), ask(alice))
		return err
	})
	if tally["success"] != 5 || tally["refused"] != 95 {
		t.Errorf("outcomes %v", tally)
	}
	r.countMessages(alice, 5)
	if r.codes.Len() != 5 {
		t.Errorf("%d codes for 5 messages", r.codes.Len())
	}
}

// inParallel starts n calls at the same instant and counts how they ended.
func inParallel(n int, call func(i int) error) map[string]int {
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		start = make(chan struct{})
		tally = map[string]int{}
	)
	for i := range n {
		wg.Go(func() {
			<-start
			name := ending(call(i))
			mu.Lock()
			defer mu.Unlock()
			tally[name]++
		})
	}
	close(start)
	wg.Wait()
	return tally
}

func ending(err error) string {
	var denied *throttle.Denied
	var wrong *sms.IncorrectError
	switch {
	case err == nil:
		return "success"
	case errors.As(err, &denied):
		return "refused"
	case errors.As(err, &wrong):
		return "incorrect"
	}
	return err.Error()
}

// wso2 product-is 27963, fxa PR 18419: whatever else is new about a request, the number is counted; and
// it is the send that is refused, not the verify.
func TestLimitsFollowTheNumber(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	first := r.send(ask(alice))
	code := r.codeOf(alice)
	for i := range 5 {
		q := ask(alice)
		q.DeviceID, q.Locale, q.Client = fmt.Sprint("device ", i), "zh", cafe
		if denied := r.refused(q); denied.RetryAfter != time.Minute {
			t.Errorf("retry after %s", denied.RetryAfter)
		}
	}
	r.verifies(first.SMSID, code, nil)
}

func TestEverySubjectIsCounted(t *testing.T) {
	t.Parallel()
	for kind, others := range map[string]sms.SendRequest{
		"phone":   {Phone: alice, DeviceID: "other", Client: cafe, App: "default"},
		"ip":      {Phone: bob, DeviceID: "other", Client: home},
		"ip_net":  {Phone: bob, DeviceID: "other", Client: must(addressIn("203.0.113.99"))},
		"device":  {Phone: bob, DeviceID: "device", Client: cafe},
		"app":     {Phone: bob, DeviceID: "other", Client: cafe},
		"country": {Phone: "+8615912345678", DeviceID: "other", Client: cafe},
		"prefix":  {Phone: "+8613800131234", DeviceID: "other", Client: cafe},
		"scene":   {Phone: bob, DeviceID: "other", Client: cafe},
	} {
		r := newRig(t, setup{policy: with("limits: [{name: one, by: [" + kind + "], limit: 1, window: 1h}]")})
		r.send(sms.SendRequest{Phone: alice, Scene: "login", DeviceID: "device", Client: home})
		others.Scene = "login"
		if denied := r.refused(others); !strings.HasSuffix(denied.Rule, "one") {
			t.Errorf("%s: refused by %q", kind, denied.Rule)
		}
		if kind == "scene" {
			continue
		}
		others.App = "another"
		if kind == "app" || kind == "ip" || kind == "ip_net" { // every subject is an app's own
			r.send(others)
		}
	}
}

// httprate#62: a client that hangs up leaves no charge without its message, nor the other way round.
func TestClientHangsUp(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	gone, hangUp := context.WithCancel(r.ctx())
	hangUp()
	sent, err := r.Send(gone, ask(alice))
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	r.countMessages(alice, 1)
	r.refused(ask(alice))
	if _, err := r.Verify(gone, sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Client: home}); err != nil {
		t.Fatalf("verify: %v", err)
	}
	r.pass(time.Minute)
	r.setFault("unavailable", alice, 1, 0)
	if _, err := r.Send(gone, ask(alice)); !errors.Is(err, sms.ErrGatewayFailed) {
		t.Fatalf("send: %v", err)
	}
	r.send(ask(alice)) // the refund was made all the same
}

func TestResetLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.send(ask(alice))
	r.refused(ask(alice))
	if err := r.ResetLimits(r.ctx(), "", phone.MustParse(alice), address.Addr{}); err != nil {
		t.Fatal(err)
	}
	r.send(ask(alice))
}

// A suite that sends to many numbers from one machine runs into the limits of the machine and of the block
// of numbers: those can be emptied too.
func TestResetLimitsOfBlockAndClient(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.usePolicy("limits:\n  - {name: range, by: [prefix], limit: 1, window: 1h}\n  - {name: machine, by: [ip], limit: 2, window: 1h}\n" +
		"scenes: {login: {templates: {en: '{{.Code}}'}}}\n")
	neighbour := alice[:len(alice)-1] + "9"
	r.send(ask(alice))
	r.refused(ask(neighbour))
	reset := func(number phone.Number, client address.Addr) {
		t.Helper()
		if err := r.ResetLimits(r.ctx(), "", number, client); err != nil {
			t.Fatal(err)
		}
	}
	reset(phone.MustParse(alice), address.Addr{})
	r.send(ask(neighbour))
	reset(phone.MustParse(alice), address.Addr{})
	r.refused(ask(alice)) // the machine's
	reset(phone.Number{}, home)
	r.send(ask(alice))
}

// One request goes by one policy from its beginning to its end.
func TestPolicyIsReadOnceARequest(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.usePolicy(with("default_region: CN"))
	r.sendFails(sms.SendRequest{Phone: alice, Scene: "register", Client: home}, sms.ErrUnknownScene)
	r.send(ask("13800138000"))
}
