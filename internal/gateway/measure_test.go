package gateway_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"smsd/internal/gateway"
)

// The lengths that people who write messages count on: of one body in Chinese, of the last line by which browsers know
// whose code it is, and of one character from an editor.
func TestMeasure(t *testing.T) {
	t.Parallel()
	const (
		chinese = "【示例科技】您的登录验证码是：123456，5分钟内有效。请勿将验证码告诉任何人。"
		bound   = chinese + "\n\n@app.example.com #123456"
		longer  = chinese + "\n\n@shopapp.example.com #123456"
		plain   = "Don't share it: 123456 is your code."
	)
	for name, c := range map[string]struct {
		text                string
		encoding            gateway.Encoding
		units, parts, left  int
		foreign             rune
		index, line, column int
		count               int
	}{
		"a body in Chinese":            {chinese, gateway.UCS2, 41, 1, 29, '【', 0, 1, 1, 34},
		"and an origin-bound line":     {bound, gateway.UCS2, 67, 1, 3, '【', 0, 1, 1, 34},
		"and four letters more":        {longer, gateway.UCS2, 71, 2, 63, '【', 0, 1, 1, 34},
		"an English text":              {plain, gateway.GSM7, 36, 1, 124, 0, 0, 0, 0, 0},
		"a typographic apostrophe":     {strings.Replace(plain, "'", "’", 1), gateway.UCS2, 36, 1, 34, '’', 3, 1, 4, 1},
		"a euro counts two":            {"€", gateway.GSM7, 2, 1, 158, 0, 0, 0, 0, 0},
		"a bracket counts two":         {"[", gateway.GSM7, 2, 1, 158, 0, 0, 0, 0, 0},
		"the extension":                {"€[]{}~\\^|\f", gateway.GSM7, 20, 1, 140, 0, 0, 0, 0, 0},
		"nothing":                      {"", gateway.GSM7, 0, 1, 160, 0, 0, 0, 0, 0},
		"two parts are full":           {strings.Repeat("a", 306), gateway.GSM7, 306, 2, 0, 0, 0, 0, 0, 0},
		"an escape opens the next":     {strings.Repeat("a", 152) + "€" + strings.Repeat("a", 151), gateway.GSM7, 305, 2, 0, 0, 0, 0, 0, 0},
		"on the second line":           {"a\nb\n €…—", gateway.UCS2, 8, 1, 62, '…', 6, 3, 3, 2},
		"a pair is one character":      {"a😀", gateway.UCS2, 3, 1, 67, '😀', 1, 1, 2, 1},
		"a pair counts two units":      {strings.Repeat("😀", 36), gateway.UCS2, 72, 2, 61, '😀', 0, 1, 1, 36},
		"the euro and a foreigner":     {"€`", gateway.UCS2, 2, 1, 68, '`', 1, 1, 2, 1},
		"what is not UTF-8 is foreign": {"a\xff", gateway.UCS2, 2, 1, 68, '\uFFFD', 1, 1, 2, 1},
	} {
		m := gateway.Measure(c.text)
		if m.Encoding != c.encoding || m.Units != c.units || m.Segments != c.parts || m.Left != c.left {
			t.Errorf("%s: got %+v, want %s, %d units, %d parts, %d left", name, m, c.encoding, c.units, c.parts, c.left)
		}
		f := m.Foreign
		if f.Char != c.foreign || f.Index != c.index || f.Line != c.line || f.Column != c.column || f.Count != c.count {
			t.Errorf("%s: got %+v, want %q at index %d, line %d, column %d, %d of them", name, f, c.foreign, c.index, c.line, c.column, c.count)
		}
		if !f.IsZero() && !strings.HasPrefix(c.text[f.Offset:], string(f.Char)) && f.Char != '\uFFFD' {
			t.Errorf("%s: %q does not stand at offset %d", name, f.Char, f.Offset)
		}
	}
}

func TestForeignIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"a":      {"", ""},
		"’":      {"U+2019 '’' right single quotation mark", "write ' instead"},
		"“":      {"U+201C '“' left double quotation mark", `write " instead`},
		"–":      {"U+2013 '–' en dash", "write - instead"},
		"…":      {"U+2026 '…' horizontal ellipsis", "write ... instead"},
		"\u00A0": {"U+00A0 no-break space", "write a space instead"},
		"\u200B": {"U+200B zero width space", "leave it out"},
		"码":      {"U+7801 '码'", ""},
		"é€":     {"", ""},
		"ç":      {"U+00E7 'ç'", ""},
	} {
		f := gateway.Measure(text).Foreign
		if f.String() != want[0] || f.Advice() != want[1] {
			t.Errorf("%q: got %q, %q, want %q", text, f.String(), f.Advice(), want)
		}
	}
}

// Whatever is advised is in the alphabet.
func FuzzMeasure(f *testing.F) {
	for _, seed := range []string{"", "a’b", "“a”", "–—…\u00A0\u200B", "码😀", "\xff", strings.Repeat("a€", 200), strings.Repeat("码😀", 99)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := gateway.Measure(text)
		if n, encoding := gateway.Segments(text); n != m.Segments || encoding != m.Encoding {
			t.Fatalf("%+v, but %d segments of %s", m, n, encoding)
		}
		parts, size := cut(text, m.Encoding)
		last := 0
		for _, c := range parts[len(parts)-1] {
			last += unitsOf(c, m.Encoding)
		}
		if len(parts) != m.Segments || size-last != m.Left {
			t.Fatalf("%+v, but cut by hand %d parts, of which the last has %d of %d units", m, len(parts), last, size)
		}
		units := 0
		for _, c := range text {
			units += unitsOf(c, m.Encoding)
		}
		if units != m.Units {
			t.Fatalf("%+v, but %d units", m, units)
		}
		checkForeign(t, text, m)
	})
}

func checkForeign(t *testing.T, text string, m gateway.Measurement) {
	if (m.Encoding == gateway.UCS2) == m.Foreign.IsZero() {
		t.Fatalf("%+v: what is foreign is told of UCS-2 alone", m)
	}
	if m.Foreign.IsZero() {
		return
	}
	if _, encoding := gateway.Segments(text[:m.Foreign.Offset]); encoding != gateway.GSM7 {
		t.Fatalf("%+v: there is a foreign one before", m)
	}
	if written, ok := strings.CutSuffix(strings.TrimPrefix(m.Foreign.Advice(), "write "), " instead"); ok {
		if _, encoding := gateway.Segments(written); encoding != gateway.GSM7 {
			t.Fatalf("%q is advised, and foreign too", written)
		}
	}
}

// cut cuts a text into parts as a phone puts them together, character by character, and returns what each part holds.
func cut(text string, encoding gateway.Encoding) (parts []string, size int) {
	single, size := 160, 153
	if encoding == gateway.UCS2 {
		single, size = 70, 67
	}
	units := 0
	for _, c := range text {
		units += unitsOf(c, encoding)
	}
	if units <= single {
		return []string{text}, single
	}
	begin, free := 0, size
	for i, c := range text {
		if n := unitsOf(c, encoding); n > free {
			parts, begin, free = append(parts, text[begin:i]), i, size
		}
		free -= unitsOf(c, encoding)
	}
	return append(parts, text[begin:]), size
}

func unitsOf(c rune, encoding gateway.Encoding) int {
	if encoding == gateway.UCS2 {
		return len(utf16.Encode([]rune{c}))
	}
	if strings.ContainsRune("\f^{}\\[~]|€", c) {
		return 2
	}
	return 1
}

// Wherever a character of two units comes to stand, it is not torn: the parts are those that hold whole characters.
func TestNoCharacterIsTorn(t *testing.T) {
	t.Parallel()
	for _, c := range []rune{'€', '😀'} {
		for before := range 170 {
			text := strings.Repeat("a", before) + strings.Repeat(string(c), 200)
			m := gateway.Measure(text)
			if parts, _ := cut(text, m.Encoding); m.Segments != len(parts) {
				t.Errorf("%d before %q: %+v, want %d parts", before, c, m, len(parts))
			}
		}
	}
}
