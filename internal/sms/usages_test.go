package sms

import (
	"testing"

	"smsd/internal/throttle"
)

func TestPersonalLimits(t *testing.T) {
	t.Parallel()
	phone, scene, network := throttle.Phone, throttle.Scene, throttle.IPNet
	for _, c := range []struct {
		by   []throttle.Kind
		want bool
	}{
		{[]throttle.Kind{phone}, true},
		{[]throttle.Kind{phone, scene}, true},
		{[]throttle.Kind{scene, phone}, true},
		{[]throttle.Kind{phone, network}, false},
		{[]throttle.Kind{phone, scene, network}, false},
		{[]throttle.Kind{scene}, false},
		{[]throttle.Kind{network}, false},
		{nil, false},
	} {
		if got := isPersonal(c.by); got != c.want {
			t.Errorf("%v: %t, want %t", c.by, got, c.want)
		}
	}
}
