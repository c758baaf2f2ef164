package sms_test

import (
	"errors"
	"strings"
	"testing"

	"smsd/internal/phone"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// isAnswer reports whether err is one of the ends that the package documents; anything else would be
// answered as a fault of the service.
func isAnswer(err error) bool {
	var (
		denied *throttle.Denied
		number *phone.Error
		field  *sms.FieldError
		wrong  *sms.IncorrectError
	)
	switch {
	case err == nil, errors.As(err, &denied), errors.As(err, &number), errors.As(err, &field), errors.As(err, &wrong):
		return true
	}
	for _, known := range []error{
		sms.ErrUnknownScene, sms.ErrDestinationNotAllowed, sms.ErrBlocked, sms.ErrNotFound, sms.ErrExpired, sms.ErrUsed,
		sms.ErrAttemptsExhausted, sms.ErrUndeliverable, sms.ErrGatewayFailed,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// Whatever a client sends, it gets an answer of the list, and none that repeats what it sent.
func FuzzSend(f *testing.F) {
	f.Add(alice, "login", "CN", "zh-CN", "device")
	f.Add("13800138000", "login", "", "", "")
	f.Add("\xff", "\x00", "ß", "x-y-", "\u202e")
	f.Add("+12025550110", "login", "us", "en-u-rg-uszzzz", " ")
	r := newRig(f, setup{policy: with()})
	f.Fuzz(func(t *testing.T, number, scene, region, locale, device string) {
		q := sms.SendRequest{Phone: number, Scene: scene, Region: region, Locale: locale, DeviceID: device, Client: home}
		_, err := r.Send(t.Context(), q)
		if !isAnswer(err) {
			t.Fatalf("%+q: %v", q.Phone, err)
		}
		if err != nil && len(number) > 8 && strings.Contains(err.Error(), number) {
			t.Fatalf("the error repeats the number: %v", err)
		}
	})
}

func FuzzVerify(f *testing.F) {
	r := newRig(f, setup{policy: with(), secrets: ringOf(2, 1)})
	sent := r.send(ask(alice))
	f.Add(sent.SMSID, "123456", "login", alice)
	f.Add(strings.ToUpper(sent.SMSID), "١٢٣٤٥٦", "", "138 0013 8000")
	f.Add("", "", "\xff", "\x00")
	f.Fuzz(func(t *testing.T, id, code, scene, number string) {
		for _, one := range []string{id, sent.SMSID} {
			q := sms.VerifyRequest{SMSID: one, Code: code, Scene: scene, Phone: number, Client: home}
			if _, err := r.Verify(t.Context(), q); !isAnswer(err) {
				t.Fatalf("%+q: %v", q.Code, err)
			}
		}
	})
}

// Policies are swapped under requests; each goes by one of them.
func TestPolicySwapsUnderLoad(t *testing.T) {
	t.Parallel()
	policies := []string{with(), with("\nblock: [{country: CN, reason: fraud}]"), with("require: [device]")}
	r := newRig(t, setup{policy: policies[0]})
	tally := inParallel(8, func(i int) error {
		for n := range 60 {
			if i == 0 {
				r.usePolicy(policies[n%len(policies)])
				continue
			}
			_, err := r.Send(r.ctx(), ask(alice))
			var device *sms.FieldError
			if err != nil && !errors.Is(err, sms.ErrBlocked) && !errors.As(err, &device) {
				return err
			}
		}
		return nil
	})
	if tally["success"] != 8 {
		t.Errorf("outcomes %v", tally)
	}
}
