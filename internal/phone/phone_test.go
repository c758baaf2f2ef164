package phone_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"smsd/internal/phone"
)

// vellum-assistant PR 14132, Truxify#1253, rack-attack#493, logto#9048: every spelling is one number.
func TestSpellingsOfOneNumber(t *testing.T) {
	want := phone.MustParse("+8613800138000")
	for _, c := range []struct{ raw, region string }{
		{"+8613800138000", ""},
		{"+86 138-0013-8000", ""},
		{"008613800138000", ""},
		{"＋８６１３８００１３８０００", ""},
		{"+8613800138000\u00a0", ""},
		{" (+86) 138.0013.8000 ", ""},
		{"\u202d+8613800138000\u202c", ""},
		{"+86\u200b138\u200b0013\u200b8000", ""},
		{"+86–138—0013‑8000", ""},
		{"13800138000", "CN"},
		{"138 0013 8000", "cn"},
		{"٠٠٨٦١٣٨٠٠١٣٨٠٠٠", ""},
	} {
		got, err := phone.Parse(c.raw, c.region)
		if err != nil || got != want {
			t.Errorf("%q in %q: %v, %v", c.raw, c.region, got, err)
		}
	}
	if want.E164() != "+8613800138000" || want.Country() != "CN" || want.Type() != phone.Mobile || want.Prefix() != "+861380013" {
		t.Errorf("%s %s %s %s", want.E164(), want.Country(), want.Type(), want.Prefix())
	}
}

// libphonenumber 1194, 937: numbers that old or hand-made patterns refuse.
func TestPossibleNumbersAreAccepted(t *testing.T) {
	for raw, country := range map[string]string{
		"+2250707070707": "CI", "+541123456789": "AR", "+5491123456789": "AR", "+525512345678": "MX",
		"+12025550123": "US", "+6591234567": "SG",
	} {
		n, err := phone.Parse(raw, "")
		if err != nil || n.Country() != country || n.E164() != raw {
			t.Errorf("%s: %s, %s, %v", raw, n.Country(), n.E164(), err)
		}
	}
}

func TestWhatIsNoNumber(t *testing.T) {
	for _, c := range []struct{ raw, region, hint string }{
		{"", "", "no digits"},
		{"+", "", "no digits"},
		{"13800138000", "", "+<country code>"}, // casdoor 1612: the hint says how to write it
		{"13800138000", "XX", "ISO 3166"},
		{"+8613800138000,+8613900139000", "", "only"},
		{"+8613800138000\r\nX: y", "", "only"},
		{"+8613800138000\x00", "", "only"},
		{"+861380", "", "too short"},
		{"+86138001380001234", "", "too long"},
		{"+999123456789", "", ""},
		{"+490015112345678", "", "leading zeros"},
		{"+4900015112345678", "", "leading zeros"},
		{"+811111111111111111", "", "too long"}, // in Japan's plan, but over 15 digits
		{"1-800-FLOWERS", "US", "only"},
		{"+8613800138000;ext=1", "", "only"},
		{"\xff\xfe", "", "UTF-8"},
		{strings.Repeat("1", 1<<20), "", "too long"}, // n8n#24636
		{"++8613800138000", "", "only"},
	} {
		n, err := phone.Parse(c.raw, c.region)
		var fault *phone.Error
		if !errors.As(err, &fault) || !errors.Is(err, phone.ErrInvalid) || !n.IsZero() {
			t.Errorf("%.40q: want an *Error, got %v, %v", c.raw, n, err)
			continue
		}
		if !strings.Contains(fault.Hint, c.hint) {
			t.Errorf("%.40q: hint %q lacks %q", c.raw, fault.Hint, c.hint)
		}
	}
}

func TestANumberPrintsMasked(t *testing.T) {
	for e164, want := range map[string]string{
		"+8613800138000": "+86 138****8000",
		"+12025550123":   "+1 20****0123",
		"+6591234567":    "+65 ****4567",
		"+4520123456":    "+45 ****3456",
	} {
		n := phone.MustParse(e164)
		nested := struct{ n phone.Number }{n}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			if got := fmt.Sprintf(verb, n); got != want {
				t.Errorf("%s of %s: %s", verb, want, got)
			}
			out := fmt.Sprintf(verb, nested)
			for _, hidden := range inDisguise(t, e164[1:]) {
				if strings.Contains(out, hidden) {
					t.Errorf("%s of a nested number: %s", verb, out)
				}
			}
		}
	}
}

// inDisguise is what digits look like as text, in base 16, and as bytes in base 10 and 16.
func inDisguise(t *testing.T, digits string) []string {
	t.Helper()
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	raw := binary.BigEndian.AppendUint64(nil, n)[3:] // what is before are zeros
	return []string{digits[2:], fmt.Sprintf("%x", n), strings.Trim(fmt.Sprint(raw), "[]"), fmt.Sprintf("%#v", raw)[7:20], fmt.Sprintf("%x", digits[2:])}
}

func TestNumbersOfNoCountry(t *testing.T) {
	for _, raw := range []string{"+881612345678", "+80012345678"} {
		if n := phone.MustParse(raw); n.Country() != phone.World {
			t.Errorf("%s: country %s", raw, n.Country())
		}
	}
}

func TestTypeNames(t *testing.T) {
	seen := map[string]phone.Type{}
	for typ := phone.Unknown; typ <= phone.Voicemail; typ++ {
		word := typ.String()
		if other, twice := seen[word]; twice || word == "" {
			t.Errorf("types %d and %d are both called %q", other, typ, word)
		}
		seen[word] = typ
	}
}

// Whatever the text, Parse answers with an E.164 number that parses to itself, or an *Error without the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"+8613800138000", "008613800138000", "13800138000", "＋８６", "+1 (202) 555-0123", "\x00", "+881612345678"} {
		f.Add(seed, "CN")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, raw, region string) {
		n, err := phone.Parse(raw, region)
		if err != nil {
			var fault *phone.Error
			if !errors.As(err, &fault) {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		if back, err := phone.Unpack(n.Pack()); err != nil || back != n {
			t.Fatalf("%q packed is %q, %v", raw, back.E164(), err)
		}
		again, err := phone.Parse(n.E164(), "")
		if err != nil || again != n || len(n.E164()) > 16 {
			t.Fatalf("%q gave %q, which gave %q, %v", raw, n.E164(), again.E164(), err)
		}
	})
}

func TestFoldDigit(t *testing.T) {
	for _, run := range []string{"0123456789", "٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "०१२३४५६७८९", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡"} {
		for i, r := range []rune(run) {
			if i != int(mustFold(t, r)-'0') {
				t.Errorf("%c is not %d", r, i)
			}
		}
	}
	for _, r := range "a-Ⅷ½²" {
		if _, ok := phone.FoldDigit(r); ok {
			t.Errorf("%c is no decimal digit", r)
		}
	}
}

func mustFold(t *testing.T, r rune) byte {
	t.Helper()
	b, ok := phone.FoldDigit(r)
	if !ok {
		t.Fatalf("%c is a digit", r)
	}
	return b
}

func TestPack(t *testing.T) {
	for _, raw := range []string{"+8613800138000", "+12025550123", "+881612345678", "+6591234567"} {
		n := phone.MustParse(raw)
		if back, err := phone.Unpack(n.Pack()); err != nil || back != n {
			t.Errorf("%s came back as %s, %v", n, back, err)
		}
	}
	good := phone.MustParse("+8613800138000").Pack()
	if (phone.Number{}).Pack() != "" {
		t.Error("the zero Number must pack to nothing")
	}
	for _, bad := range []string{"", "+8613800138000", good[:6], "\xff" + good[1:], good[:1] + "\x00" + good[2:], good[:1] + "\x20" + good[2:], good + "a", good + "00000000"} {
		if n, err := phone.Unpack(bad); !errors.Is(err, phone.ErrInvalid) || !n.IsZero() {
			t.Errorf("%q: %v, %v", bad, n, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := phone.Parse("+8613800138000", ""); err != nil {
			b.Fatal(err)
		}
	}
}
