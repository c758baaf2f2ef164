package throttle

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"
)

var testSecret = []byte("an index secret of thirty-two b.")

func everyone() []Subject {
	return []Subject{
		{Phone, "+8613800138000"}, {IP, "192.0.2.1"}, {IPNet, "192.0.2.0/24"}, {Device, "device}{"},
		{App, "default"}, {Country, "CN"}, {Prefix, "+861380013"},
	}
}

// keyOf names the key of one rule for subjects; the zero Key if it is skipped.
func keyOf(t *testing.T, by []Kind, mode Mode, subjects ...Subject) Key {
	t.Helper()
	s := mustCompile(t, []Rule{{Name: "a", By: by, Limit: 5, Window: time.Hour, Mode: mode}}, "login")
	k := newKeyer(newHasher(testSecret), subjects)
	key, has, err := k.key(s.plans["login"][Send][0])
	if err != nil || !has && key != (Key{}) {
		t.Fatal(key, err)
	}
	return key
}

func TestTag(t *testing.T) {
	t.Parallel()
	key := keyOf(t, []Kind{Phone}, Enforce, everyone()...)
	mac := hmac.New(sha256.New, testSecret)
	mac.Write([]byte("\x00\x00\x00\x00\x00\x00\x00\x05phone\x00\x00\x00\x00\x00\x00\x00\x07default\x00\x00\x00\x00\x00\x00\x00\x0e+8613800138000"))
	if want := base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16]); string(key.Tag) != want || key.Name != "p" {
		t.Errorf("%v, want %s", key, want)
	}
}

// Whose keys stand together: a phone's, and those of a network and its hosts.
func TestWhatTagsAKey(t *testing.T) {
	t.Parallel()
	tagOf := func(by ...Kind) Tag { return keyOf(t, by, Enforce, everyone()...).Tag }
	phone, net, device, prefix := tagOf(Phone), tagOf(IPNet), tagOf(Device), tagOf(Prefix)
	for _, c := range []struct {
		by   []Kind
		want Tag
	}{
		{[]Kind{Phone, Scene}, phone}, {[]Kind{IPNet, Phone}, phone}, {[]Kind{Phone, IP, Device}, phone}, {[]Kind{Phone, App}, phone},
		{[]Kind{IP}, net}, {[]Kind{IP, IPNet}, net}, {[]Kind{Device, IP}, net}, {[]Kind{IPNet, Scene}, net},
		{[]Kind{Prefix, Device}, device}, {[]Kind{Country, Prefix}, prefix}, {[]Kind{Country, App}, tagOf(Country)},
		{[]Kind{Scene}, tagOf()}, {[]Kind{Scene, App}, tagOf(App)},
	} {
		if got := tagOf(c.by...); got != c.want {
			t.Errorf("by %v: tag %s, want %s", c.by, got, c.want)
		}
	}
	seen := map[Tag]bool{}
	for _, tag := range []Tag{phone, net, device, prefix, tagOf(Country), tagOf(App), tagOf()} {
		if seen[tag] {
			t.Errorf("tag %s twice", tag)
		}
		seen[tag] = true
	}
}

// Braces, colons and lengths that an attacker chooses reach no key (limiters#48), and neither does anything personal.
func TestKeysHoldNothingOfTheirSubjects(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z]+(\+[A-Za-z0-9_-]{12})?$`)
	tag := regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)
	odd := []Subject{
		{Phone, "}{:" + strings.Repeat("x", 10_000)}, {IP, "1"}, {IPNet, "{"}, {Device, "\x00"}, {App, "a{x}b"}, {Country, "}"}, {Prefix, "\n"},
	}
	for _, by := range [][]Kind{{}, {Phone}, {Phone, IP}, {Phone, IPNet, Device}, {IP}, {IP, IPNet, Device}, {Prefix, Country}, {App}, {Scene}} {
		for _, mode := range []Mode{Enforce, Shadow} {
			k := keyOf(t, by, mode, odd...)
			if !form.MatchString(k.Name) || !tag.MatchString(string(k.Tag)) || k != keyOf(t, by, Enforce, odd...) {
				t.Errorf("by %v: %+v", by, k)
			}
		}
	}
}

// One subject more or less, or one other id, is another key.
func TestKeysDiffer(t *testing.T) {
	t.Parallel()
	seen := map[Key]string{}
	add := func(what string, k Key) {
		if other, taken := seen[k]; taken {
			t.Errorf("%s and %s share %+v", what, other, k)
		}
		seen[k] = what
	}
	with := func(s Subject) []Subject { return append(everyone(), s) }
	for _, by := range [][]Kind{{}, {Phone}, {Phone, IP}, {Phone, IPNet}, {Phone, IP, IPNet}, {Phone, Device}, {IP}, {IPNet}, {IP, Device}, {Device}, {Country}, {Prefix}, {Prefix, Country}, {App}} {
		add(setOf(by).letters(), keyOf(t, by, Enforce, everyone()...))
	}
	add("another host", keyOf(t, []Kind{IP}, Enforce, with(Subject{IP, "192.0.2.2"})...))
	add("a phone on another host", keyOf(t, []Kind{Phone, IP}, Enforce, with(Subject{IP, "192.0.2.2"})...))
	add("a phone, a host, another device", keyOf(t, []Kind{Phone, IP, Device}, Enforce, with(Subject{Device, "d2"})...))
	add("a phone, a host, the device", keyOf(t, []Kind{Phone, IP, Device}, Enforce, everyone()...))
	add("another app's phone", keyOf(t, []Kind{Phone}, Enforce, with(Subject{App, "other"})...))
	add("the phone of no app", keyOf(t, []Kind{Phone}, Enforce, with(Subject{App, ""})...))
	add("another app", keyOf(t, []Kind{App}, Enforce, with(Subject{App, "other"})...))
	// Where app ends and id begins is part of the digest.
	add("app de", keyOf(t, []Kind{Phone}, Enforce, with(Subject{App, "de"})...))
	if keyOf(t, nil, Enforce, everyone()...) != keyOf(t, nil, Enforce, with(Subject{App, "other"})...) {
		t.Error("the one counter over all is not one")
	}
}

// What a key's name says of a network can't be matched with the network's own keys.
func TestNamesDoNotTellTags(t *testing.T) {
	t.Parallel()
	net, phone := keyOf(t, []Kind{IPNet}, Enforce, everyone()...), keyOf(t, []Kind{Phone, IPNet}, Enforce, everyone()...)
	_, part, _ := strings.Cut(phone.Name, "+")
	if strings.Contains(string(net.Tag), part) {
		t.Errorf("%s stands in %s", part, net.Tag)
	}
}

func TestRuleWhoseSubjectIsMissing(t *testing.T) {
	t.Parallel()
	phone := Subject{Phone, "+8613800138000"}
	for _, by := range [][]Kind{{Device}, {Phone, Device}, {IP}, {Country}} {
		if k := keyOf(t, by, Enforce, phone, Subject{Device, ""}); k != (Key{}) {
			t.Errorf("by %v: %+v", by, k)
		}
	}
	s := mustCompile(t, []Rule{{Name: "a", By: []Kind{IP}, Limit: 1, Window: time.Hour}}, "login")
	k := newKeyer(newHasher(testSecret), []Subject{{IP, "192.0.2.1"}})
	if _, _, err := k.key(s.plans["login"][Send][0]); err == nil {
		t.Error("an address without its network has no tag, and must not be skipped in silence")
	}
}

func TestAnotherSecretIsAnotherKey(t *testing.T) {
	t.Parallel()
	other := newHasher([]byte(strings.Repeat("x", 32)))
	if newHasher(testSecret).tag(Phone, "", "a") == other.tag(Phone, "", "a") {
		t.Error("the secret does not matter")
	}
}
