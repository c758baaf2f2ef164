package sms

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
)

// drawn is the code that a random source of the given values gives.
func drawn(t *testing.T, length int, values ...uint64) string {
	t.Helper()
	var raw []byte
	for _, v := range values {
		raw = binary.BigEndian.AppendUint64(raw, v)
	}
	code, err := drawCode(bytes.NewReader(raw), length)
	if err != nil {
		t.Fatal(err)
	}
	return code.Reveal()
}

func TestDrawReachesBothEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		length int
		value  uint64
		want   string
	}{
		{6, 0, "000000"}, {6, 999_999, "999999"}, {6, 1_000_000, "000000"}, {6, 12_345, "012345"},
		{4, 9_999, "9999"}, {4, 10_000, "0000"},
		{10, 9_999_999_999, "9999999999"}, {10, 7, "0000000007"},
	} {
		if got := drawn(t, c.length, c.value); got != c.want {
			t.Errorf("%d digits of %d: %s, want %s", c.length, c.value, got, c.want)
		}
	}
}

// 2^64 is not a multiple of a million: the 551,615 values that are left over are drawn again.
func TestDrawRejectsTheIncompleteEnd(t *testing.T) {
	t.Parallel()
	if got := drawn(t, 6, math.MaxUint64, math.MaxUint64-551_615, 42); got != "000042" {
		t.Errorf("values of the incomplete end were used: %s", got)
	}
	if got := drawn(t, 6, math.MaxUint64-551_616); got != "999999" {
		t.Errorf("the last value of the complete part gives %s", got)
	}
}

func TestDrawFailsWithItsSource(t *testing.T) {
	t.Parallel()
	broken := errors.New("no entropy")
	if _, err := drawCode(iotest.ErrReader(broken), 6); !errors.Is(err, broken) {
		t.Errorf("a source that fails: %v", err)
	}
	if _, err := drawCode(strings.NewReader("short"), 6); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a source that ends: %v", err)
	}
	if _, err := drawCode(ones{}, 6); !errors.Is(err, errRandom) {
		t.Errorf("a source that is stuck: %v", err)
	}
}

// ones is a random source that got stuck.
type ones struct{}

func (ones) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0xff
	}
	return len(p), nil
}

// authorizer 478, EN-verification-server 55, goiabada 85: codes that are not uniform. A million of them
// from crypto/rand; per position (9 degrees of freedom), chance alone goes above 50 once in ten million
// times. Pairs of digits (99 degrees, above 200 once in a hundred million) find what positions do not.
func TestMillionCodesAreUniform(t *testing.T) {
	t.Parallel()
	const n, length = 1_000_000, 6
	random := &buffered{source: rand.Reader}
	var digits [length][10]int
	var pairs [100]int
	for range n {
		code, err := drawBelow(random, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		pairs[code/100_000*10+code%10]++
		for i := range length {
			digits[length-1-i][code%10]++
			code /= 10
		}
	}
	for i, counts := range digits {
		if x := chiSquare(counts[:], n); x > 50 {
			t.Errorf("position %d: chi-square %.1f, counts %v", i, x, counts)
		}
	}
	if x := chiSquare(pairs[:], n); x > 200 {
		t.Errorf("first and last digit: chi-square %.1f", x)
	}
}

func chiSquare(counts []int, n int) float64 {
	expected := float64(n) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		d := float64(c) - expected
		sum += d * d / expected
	}
	return sum
}

// buffered reads ahead, so that a million draws are not a million system calls.
type buffered struct {
	source io.Reader
	ahead  [4096]byte
	left   []byte
}

func (b *buffered) Read(p []byte) (int, error) {
	if len(b.left) == 0 {
		if _, err := io.ReadFull(b.source, b.ahead[:]); err != nil {
			return 0, err
		}
		b.left = b.ahead[:]
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// A test that cannot fail is a defect: the figure must be far off for digits that are hardly biased.
func TestChiSquareFindsABias(t *testing.T) {
	t.Parallel()
	counts := []int{101_000, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 100_000, 99_000}
	if x := chiSquare(counts, 1_000_000); x > 50 {
		t.Errorf("a bias of 1 %% in one digit is within chance, but gives %.1f", x)
	}
	counts[0], counts[9] = 102_000, 98_000
	if x := chiSquare(counts, 1_000_000); x < 50 {
		t.Errorf("a bias of 2 %% in two digits gives %.1f", x)
	}
}

func TestReadCodeAsTyped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ report, typed string }{
		{"plain", "123456"},
		{"authgear 1474: a blank in front", " 123456"},
		{"bitwarden PR 19152: a blank inside", "123 456"},
		{"pay-selfservice PR 3637: a hyphen", "123-456"},
		{"zero-width space", "123\u200b456"},
		{"direction marks, soft hyphen, BOM", "\ufeff\u202a123\u00ad456\u202c"},
		{"no-break and ideographic spaces", "\u00a0123\u3000456\u2009"},
		{"every dash", "1-2‐3‑4–5—6"},
		{"a minus sign", "123−456"},
		{"tab and new line of a clipboard", "\t123456\r\n"},
		{"variation selectors", "1\ufe0e2\ufe0f3456"},
		{"FirebaseUI-iOS 790: Arabic-Indic digits", "١٢٣٤٥٦"},
		{"extended Arabic-Indic digits", "۱۲۳۴۵۶"},
		{"gpui-kit PR 2261: full-width digits", "１２３４５６"},
		{"Devanagari and mathematical digits", "१२३𝟒𝟓𝟔"},
	} {
		code, err := readCode(c.typed)
		if err != nil || code.Reveal() != "123456" {
			t.Errorf("%s: %q, %v", c.report, code.Reveal(), err)
		}
	}
}

func TestReadCodeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ report, typed, want string }{
		{"rubygems PR 3459: empty", "", "required"},
		{"blanks alone", " \u200b ", "required"},
		{"three digits", "123", "invalid"},
		{"eleven digits", "12345678901", "invalid"},
		{"a letter", "12345a", "invalid"},
		{"a letter that looks like a digit", "l23456", "invalid"},
		{"n8n#24636: NUL", "123456\x00", "invalid"},
		{"n8n#24636: invalid UTF-8", "123456\xff", "invalid"},
		{"rubygems PR 3459: 1 MB", strings.Repeat("1", 1<<20), "invalid"},
		{"1 MB of nothing", strings.Repeat("\u200b", 1<<18), "invalid"},
		{"a sign", "+123456", "invalid"},
		{"a decimal", "1234.56", "invalid"},
		{"superscripts, which are no decimal digits", "¹²³⁴⁵⁶", "invalid"},
	} {
		_, err := readCode(c.typed)
		var fault *FieldError
		if !errors.As(err, &fault) || fault.Pointer != "/code" || fault.Code != c.want {
			t.Errorf("%s: %v, want %s", c.report, err, c.want)
		}
	}
}

func FuzzReadCode(f *testing.F) {
	for _, seed := range []string{"123456", "", "١٢٣-٤٥٦", "1\u200b2", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		code, err := readCode(typed)
		if (err == nil) == code.IsZero() {
			t.Fatalf("%q: code %q and error %v", typed, code.Reveal(), err)
		}
		if n := len(code.Reveal()); err == nil && (n < MinCodeLength || n > MaxCodeLength) {
			t.Fatalf("%q: %d digits", typed, n)
		}
		if again, _ := readCode(code.Reveal()); err == nil && !again.Same(code) {
			t.Fatalf("%q: reads as %q, and that as %q", typed, code.Reveal(), again.Reveal())
		}
	})
}
