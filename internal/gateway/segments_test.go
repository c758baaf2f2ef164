package gateway_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"smsd/internal/gateway"
)

func TestSegments(t *testing.T) {
	t.Parallel()
	const basic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	rep := strings.Repeat
	for name, c := range map[string]struct {
		text     string
		n        int
		encoding gateway.Encoding
	}{
		"empty":                      {"", 1, gateway.GSM7},
		"the basic table":            {basic, 1, gateway.GSM7},
		"160 septets":                {rep("a", 160), 1, gateway.GSM7},
		"161 septets":                {rep("a", 161), 2, gateway.GSM7},
		"two full parts":             {rep("a", 306), 2, gateway.GSM7},
		"one more":                   {rep("a", 307), 3, gateway.GSM7},
		"extension counts two":       {rep("€", 80), 1, gateway.GSM7},
		"extension over one":         {rep("€", 80) + "a", 2, gateway.GSM7},
		"an escape is not torn":      {rep("a", 152) + "€" + rep("a", 152), 3, gateway.GSM7},
		"the extension table":        {"\f^{}\\[~]|€" + rep("a", 140), 1, gateway.GSM7},
		"the extension table, more":  {"\f^{}\\[~]|€" + rep("a", 141), 2, gateway.GSM7},
		"small c with cedilla":       {"ç", 1, gateway.UCS2},
		"grave accent":               {"`", 1, gateway.UCS2},
		"tab":                        {"\t", 1, gateway.UCS2},
		"70 units":                   {rep("码", 70), 1, gateway.UCS2},
		"71 units":                   {rep("码", 71), 2, gateway.UCS2},
		"two full UCS-2 parts":       {rep("码", 134), 2, gateway.UCS2},
		"three UCS-2 parts":          {rep("码", 135), 3, gateway.UCS2},
		"a pair counts two":          {rep("😀", 35), 1, gateway.UCS2},
		"pairs over one":             {rep("😀", 36), 2, gateway.UCS2},
		"a pair is not torn":         {rep("码", 66) + "😀" + rep("码", 66), 3, gateway.UCS2},
		"one character of another":   {rep("a", 69) + "码", 1, gateway.UCS2},
		"the escape itself":          {"\x1b", 1, gateway.UCS2},
		"not UTF-8":                  {"\xff", 1, gateway.UCS2},
		"built-in template, Chinese": {"您的登录验证码是 493817，5 分钟内有效。请勿告诉他人。", 1, gateway.UCS2},
	} {
		if n, encoding := gateway.Segments(c.text); n != c.n || encoding != c.encoding {
			t.Errorf("%s: got %d %s, want %d %s", name, n, encoding, c.n, c.encoding)
		}
	}
}

// However a text is made up, its parts hold it, and none of them could have been left out but for the
// one unit that a part may leave empty.
func FuzzSegments(f *testing.F) {
	for _, seed := range []string{"", "a", "€", "码", "😀", "\xff", strings.Repeat("a€", 200), strings.Repeat("码😀", 99)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, encoding := gateway.Segments(text)
		var units, single, part int
		switch encoding {
		case gateway.UCS2:
			units, single, part = len(utf16.Encode([]rune(text))), 70, 67
		case gateway.GSM7:
			units, single, part = len([]rune(text)), 160, 153
			for _, r := range text {
				if strings.ContainsRune("\f^{}\\[~]|€", r) {
					units++
				}
			}
		default:
			t.Fatalf("encoding %q", encoding)
		}
		switch {
		case units <= single && n != 1:
			t.Fatalf("%d parts for %d units", n, units)
		case units > single && (n*part < units || (n-1)*(part-1) >= units):
			t.Fatalf("%d parts of %d for %d units", n, part, units)
		}
		if again, e := gateway.Segments(text + "码"); e != gateway.UCS2 || again < n && encoding == gateway.UCS2 {
			t.Fatalf("with one more character: %d %s after %d %s", again, e, n, encoding)
		}
	})
}
