package sms_test

import (
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
)

// codeOf is the code in the newest message to a number.
func (r *rig) codeOf(number string) string {
	r.t.Helper()
	return r.newest(number).Code.Reveal()
}

func (r *rig) newest(number string) mock.Message {
	r.t.Helper()
	found := r.messages(number)
	if len(found) == 0 {
		r.t.Fatal("no message")
	}
	return found[0]
}

func (r *rig) messages(number string) []mock.Message {
	return r.inbox.Messages(mock.Filter{Phone: phone.MustParse(number)})
}

// countMessages checks how many messages a number got.
func (r *rig) countMessages(number string, want int) {
	r.t.Helper()
	if got := len(r.messages(number)); got != want {
		r.t.Fatalf("%d messages, want %d", got, want)
	}
}

func (r *rig) setFault(kind, number string, times int, delay time.Duration) {
	r.t.Helper()
	f := mock.Fault{Kind: kind, Times: times, Delay: delay}
	if number != "" {
		f.Phone = phone.MustParse(number)
	}
	if err := r.inbox.SetFault(f); err != nil {
		r.t.Fatal(err)
	}
}

// mockAll chooses every message.
var mockAll = mock.Filter{}
