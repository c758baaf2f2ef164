package apikey

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math"
	"strings"
	"testing"
)

// A key is what the package promises: its form, and a checksum that anybody can compute.
func TestNewKeys(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{Publishable, Secret} {
		seen := map[string]bool{}
		for range 100 {
			k, err := New(kind)
			if err != nil {
				t.Fatal(err)
			}
			text := k.Reveal()
			if len(text) != 41 || !strings.HasPrefix(text, string(kind)+"_") || k.Kind() != kind || seen[text] {
				t.Fatalf("a key of %d characters, kind %q, again %t", len(text), k.Kind(), seen[text])
			}
			seen[text] = true
			if got := decode62(text[35:]); got != uint64(crc32.ChecksumIEEE([]byte(text[:35]))) {
				t.Fatalf("the checksum is %d", got)
			}
			parsed, err := Parse(text)
			if err != nil || parsed.Reveal() != text || parsed.Kind() != kind {
				t.Fatalf("parsed as %v: %v", parsed, err)
			}
		}
	}
	if _, err := New("xx"); err == nil {
		t.Error("a key of no kind is made")
	}
}

func decode62(digits string) (n uint64) {
	for _, d := range digits {
		n = n*62 + uint64(strings.IndexRune(alphabet, d))
	}
	return n
}

// Every character is as likely as the next: 62,000 draws lie within six standard deviations of 1,000 each. Were bytes taken
// modulo 62, the first eight characters would come 1,211 times.
func TestDrawHasNoBias(t *testing.T) {
	t.Parallel()
	count := map[byte]int{}
	for _, c := range draw(nil, 62_000) {
		count[c]++
	}
	sigma := math.Sqrt(1000 * (1 - 1.0/62))
	for i := range len(alphabet) {
		if n := float64(count[alphabet[i]]); math.Abs(n-1000) > 6*sigma {
			t.Errorf("%c came %.0f times", alphabet[i], n)
		}
	}
}

// One slip, or two characters that changed places, is always seen: a CRC-32 finds every error within 32 bits.
func TestParseFindsSlips(t *testing.T) {
	t.Parallel()
	k, _ := New(Secret)
	text := k.Reveal()
	for i := prefixSize; i < len(text); i++ {
		for j := range len(alphabet) {
			slip := text[:i] + alphabet[j:j+1] + text[i+1:]
			if _, err := Parse(slip); slip != text && !errors.Is(err, ErrMistyped) {
				t.Fatalf("character %d changed: %v", i, err)
			}
		}
		if i+1 < len(text) && text[i] != text[i+1] {
			swapped := text[:i] + text[i+1:i+2] + text[i:i+1] + text[i+2:]
			if _, err := Parse(swapped); !errors.Is(err, ErrMistyped) {
				t.Fatalf("characters %d and %d swapped: %v", i, i+1, err)
			}
		}
	}
}

func TestParseOfWhatIsNoKey(t *testing.T) {
	t.Parallel()
	k, _ := New(Publishable)
	text := k.Reveal()
	for name, bad := range map[string]string{
		"nothing": "", "a prefix": "pk_", "truncated": text[:40], "with more": text + "a", "another kind": "rk" + text[2:],
		"no underscore": "pk-" + text[3:], "upper case": "PK" + text[2:], "a sign": text[:10] + "-" + text[11:], "a blank": " " + text[:40],
		"another script": text[:10] + "é" + text[12:], "a megabyte": strings.Repeat("a", 1<<20), "a NUL": text[:40] + "\x00",
	} {
		if _, err := Parse(bad); err != ErrMalformed { // the very error: one of a closed list, with nothing of the text
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse("sk" + text[2:]); err != ErrMistyped {
		t.Errorf("the kind is not under the checksum: %v", err)
	}
}

// A key prints as what it may be known by, however it is printed.
func TestKeysPrintMasked(t *testing.T) {
	t.Parallel()
	k, _ := New(Secret)
	want := "sk_..." + k.Reveal()[37:]
	inner := struct{ key Key }{k}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", k)
	marshalled, _ := json.Marshal(k)
	for _, text := range []string{
		fmt.Sprintf("%v %s %q %x %#v %+v %d", k, k, k, k, k, k, k), fmt.Sprintf("%v %+v %#v", inner, inner, inner), log.String(), string(marshalled), k.String(),
	} {
		if strings.Contains(text, k.Reveal()[3:30]) {
			t.Errorf("prints %s", text)
		}
	}
	if k.String() != want || (Key{}).String() != "none" {
		t.Errorf("prints %s, want %s", k, want)
	}
}

func FuzzParse(f *testing.F) {
	k, _ := New(Secret)
	f.Add(k.Reveal())
	f.Add("pk_")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := Parse(text)
		if err == nil && k.Reveal() != text || err != nil && err != ErrMalformed && err != ErrMistyped {
			t.Errorf("%q: %v", text, err)
		}
	})
}
