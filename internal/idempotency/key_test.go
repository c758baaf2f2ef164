package idempotency

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseKey(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", MaxKey)
	for _, c := range []struct {
		name   string
		values []string
		want   string // "": none
	}{
		{"a string", []string{`"8e03978e-40d5-43dd-bc93-6894a57f9324"`}, "8e03978e-40d5-43dd-bc93-6894a57f9324"},
		{"bare", []string{"8e03978e-40d5-43dd-bc93-6894a57f9324"}, "8e03978e-40d5-43dd-bc93-6894a57f9324"},
		{"blanks around it", []string{`  "k" `}, "k"},
		{"escapes", []string{`"a\"b\\c"`}, `a"b\c`},
		{"base64, bare", []string{"a+/b=="}, "a+/b=="},
		{"comma in a string", []string{`"a,b;c"`}, "a,b;c"},
		{"longest", []string{long}, long},
		{"longest, escaped", []string{`"` + strings.Repeat(`\"`, MaxKey) + `"`}, strings.Repeat(`"`, MaxKey)},
		{"too long", []string{long + "k"}, ""},
		{"too long, quoted", []string{`"` + long + `k"`}, ""},
		{"two headers", []string{"a", "a"}, ""},
		{"two joined by a proxy", []string{`"a", "b"`}, ""},
		{"two joined, bare", []string{"a,b"}, ""},
		{"none", nil, ""},
		{"empty", []string{""}, ""},
		{"blank", []string{"  "}, ""},
		{"an empty string", []string{`""`}, ""},
		{"not closed", []string{`"a`}, ""},
		{"only a quote", []string{`"`}, ""},
		{"ends in an escape", []string{`"a\`}, ""},
		{"an escape of nothing", []string{`"a\n"`}, ""},
		{"something behind it", []string{`"a"b`}, ""},
		{"parameters", []string{`"a";v=1`}, ""},
		{"parameters, bare", []string{`a;v=1`}, ""},
		{"a quote inside, bare", []string{`a"b`}, ""},
		{"a blank inside", []string{`"a b"`}, ""},
		{"a blank inside, bare", []string{`a b`}, ""},
		{"a tab", []string{"a\t"}, ""},
		{"a line", []string{"\"a\r\nb\""}, ""},
		{"not ASCII", []string{"ключ"}, ""},
		{"DEL", []string{"a\x7f"}, ""},
		{"NUL", []string{"\"a\x00\""}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			key, err := ParseKey(c.values)
			if got := key.text.Reveal(); got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("key %q, error %v; want %q", got, err, c.want)
			}
			if err != nil && !errors.Is(err, ErrKey) {
				t.Errorf("another error: %v", err)
			}
		})
	}
}

func TestKeyPrintsMasked(t *testing.T) {
	t.Parallel()
	key, err := ParseKey([]string{"secret-of-a-client"})
	if text := fmt.Sprintf("%v %+v %#v %v", key, key, key, Request{Key: key}); err != nil || strings.Contains(text, "client") {
		t.Errorf("a key prints as %s (%v)", text, err)
	}
}

// Whatever a header holds, a key is 1 to MaxKey visible characters, means itself when it is written as a string of
// structured fields, and itself bare if it may be bare.
func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{`"a"`, "a", `"a\"b\\"`, `"a", "b"`, `"a";v=1`, `"`, `"\`, " a ", "", "\"\x7f\"", "ä", strings.Repeat("x", MaxKey+1)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, err := ParseKey([]string{value})
		text := key.text.Reveal()
		if err != nil {
			if text != "" || !errors.Is(err, ErrKey) {
				t.Fatalf("an error and the key %q: %v", text, err)
			}
			return
		}
		if len(text) < 1 || len(text) > MaxKey || !isVisible(text) {
			t.Fatalf("the key %q", text)
		}
		for _, again := range []string{quoted(text), bareOr(text, value)} {
			if same, err := ParseKey([]string{again}); err != nil || same.text.Reveal() != text {
				t.Fatalf("%q is the key %q, and %q is %q (%v)", value, text, again, same.text.Reveal(), err)
			}
		}
	})
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// bareOr is the key as it may be written bare, or else the value.
func bareOr(text, value string) string {
	if strings.ContainsAny(text, `"\,;`) {
		return value
	}
	return text
}
