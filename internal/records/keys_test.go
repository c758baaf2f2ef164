package records_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"smsd/internal/address"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/records"
)

// A subject is found under every secret in rotation, by whatever its rows were hashed with.
func TestHashesOverARotation(t *testing.T) {
	t.Parallel()
	old, rotated := keysOf(t, 1), keysOf(t, 2, 1)
	n, a := number(t, "+8613800138000"), client(t, "203.0.113.7")
	was, is := old.Whom(n, a, "device"), rotated.Whom(n, a, "device")
	for kind, c := range map[string]struct {
		was, is records.Hash
		all     []records.Hash
	}{
		"phone": {was.Phone, is.Phone, rotated.Phones(n)}, "host": {was.Host, is.Host, rotated.Hosts(a)},
		"network": {was.Network, is.Network, rotated.Networks(a)}, "device": {was.Device, is.Device, rotated.Devices("device")},
	} {
		if len(c.all) != 2 || c.all[0] != c.is || c.all[1] != c.was || c.is == c.was || c.is.IsZero() {
			t.Errorf("%s: %v, was %v, is %v", kind, c.all, c.was, c.is)
		}
	}
}

// Subjects of two kinds have nothing in common, whatever their ids, and nobody has no hash.
func TestHashesOfKinds(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, 1)
	a := client(t, "203.0.113.7")
	if keys.Whom(phone.Number{}, a, a.Host()).Device == keys.Whom(phone.Number{}, a, "").Host {
		t.Error("a device and a host hash alike")
	}
	if none := keys.Whom(phone.Number{}, address.Addr{}, ""); none != (records.Whom{}) || keys.Phones(phone.Number{}) != nil {
		t.Errorf("nobody has %v", none)
	}
	if x, y := client(t, "2001:db8:1:2::1"), client(t, "2001:db8:1:2::9"); keys.Whom(phone.Number{}, x, "") != keys.Whom(phone.Number{}, y, "") {
		t.Error("a host's /64 is two")
	}
}

func TestASealedNumber(t *testing.T) {
	t.Parallel()
	n := number(t, "+8613800138000")
	sealed, err := keysOf(t, 1).Seal("one", n)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(sealed), "138") {
		t.Error("it is in clear")
	}
	if got, err := keysOf(t, 2, 1).Open("one", sealed); err != nil || got != n {
		t.Errorf("after a rotation: %v, %v", got, err)
	}
	if _, err := keysOf(t, 1).Open("two", sealed); !errors.Is(err, keyring.ErrSeal) {
		t.Errorf("for another verification: %v", err)
	}
	if _, err := keysOf(t, 2).Open("one", sealed); !errors.Is(err, keyring.ErrSeal) {
		t.Errorf("with another secret: %v", err)
	}
}

func TestKeysPrintWithoutThemselves(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, 'k')
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		if text := fmt.Sprintf(verb+verb, keys, struct{ k *records.Keys }{keys}); strings.Contains(text, "kkkk") || strings.Contains(text, "6b6b6b") {
			t.Errorf("%s prints %s", verb, text)
		}
	}
}
