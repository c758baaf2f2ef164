package sms

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"smsd/internal/phone"
	"smsd/internal/secret"
)

// The bounds of a code's length, in digits. Fewer than 4 are guessed too soon with a few attempts;
// more than 10 nobody types.
const (
	MinCodeLength = 4
	MaxCodeLength = 10
)

// maxDraws bounds the tries to draw a code. One fails with a chance of less than 1 in a billion, so
// that this many failures are a random source that is broken.
const maxDraws = 16

var errRandom = errors.New("the random source gives the same values again and again")

// drawCode returns one of all codes of length digits, each as likely as any other.
func drawCode(random io.Reader, length int) (secret.Text, error) {
	all := uint64(math.Pow10(length))
	n, err := drawBelow(random, all)
	if err != nil {
		return secret.Text{}, fmt.Errorf("sms: draw a code: %w", err)
	}
	return secret.New(strconv.FormatUint(all+n, 10)[1:]), nil // a 1 and all its digits, the first of which may be 0
}

// drawBelow returns one of the numbers below n, each as likely as any other.
func drawBelow(random io.Reader, n uint64) (uint64, error) {
	// Values from end on are drawn again: they would make the numbers below 2^64 mod n likelier.
	end := math.MaxUint64 - math.MaxUint64%n
	for range maxDraws {
		var raw [8]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return 0, err
		}
		if v := binary.BigEndian.Uint64(raw[:]); v < end {
			return v % n, nil
		}
	}
	return 0, errRandom
}

// readCode returns the ASCII digits of a code as a person typed or pasted it. Whatever is no code at
// all is a [*FieldError]; whether it has as many digits as the verification's code, the store tells.
func readCode(typed string) (secret.Text, error) {
	if len(typed) > MaxTypedCode || !utf8.ValidString(typed) {
		return secret.Text{}, invalid("/code")
	}
	var digits strings.Builder
	for _, r := range typed {
		digit, isDigit := phone.FoldDigit(r)
		switch {
		case isDigit:
			digits.WriteByte(digit)
		case !isFiller(r):
			return secret.Text{}, invalid("/code")
		}
	}
	switch n := digits.Len(); {
	case n == 0:
		return secret.Text{}, required("/code")
	case n < MinCodeLength || n > MaxCodeLength:
		return secret.Text{}, invalid("/code")
	}
	return secret.New(digits.String()), nil
}

// isFiller reports whether r is a blank, a hyphen or invisible: what keyboards, message apps and
// clipboards put between digits.
func isFiller(r rune) bool {
	return unicode.IsSpace(r) || r == '−' || unicode.In(r, unicode.Pd, unicode.Cf,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
