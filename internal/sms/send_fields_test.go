package sms_test

import (
	"errors"
	"strings"
	"testing"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

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
