package gateway

import "unicode/utf16"

// Encoding is how the text of a message travels.
type Encoding string

// The two encodings.
const (
	GSM7 Encoding = "GSM-7" // the default alphabet of 3GPP TS 23.038, section 6.2.1, and its extension
	UCS2 Encoding = "UCS-2" // as soon as one character is not in that
)

// Units that a message holds: 140 octets (3GPP TS 23.040, section 9.2.3.24), of which each part of a
// concatenated message gives six to its header (section 9.2.3.24.1).
const (
	gsm7Single, gsm7Part = 160, 153 // septets
	ucs2Single, ucs2Part = 70, 67   // UTF-16 units
)

// The basic table but for the escape, and the extension, each of whose characters takes an escape and a
// septet (3GPP TS 23.038, sections 6.2.1 and 6.2.1.1).
const (
	gsm7Basic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsm7Extension = "\f^{}\\[~]|€"
)

// Segments returns in how many billed parts text travels, and in which encoding. An empty text is one
// part. What is not UTF-8 counts as U+FFFD.
func Segments(text string) (n int, encoding Encoding) {
	if n, ok := count(text, gsm7Units, gsm7Single, gsm7Part); ok {
		return n, GSM7
	}
	n, _ = count(text, ucs2Units, ucs2Single, ucs2Part)
	return n, UCS2
}

// count fills parts one after the other. A character of two units (an escaped one, a surrogate pair) is
// not torn apart: it opens the next part, and a unit stays empty. ok is false if a character has no units.
func count(text string, units func(rune) int, single, part int) (n int, ok bool) {
	total, parts, used := 0, 1, 0
	for _, r := range text {
		u := units(r)
		if u == 0 {
			return 0, false
		}
		total += u
		if used+u > part {
			parts, used = parts+1, 0
		}
		used += u
	}
	if total <= single {
		return 1, true
	}
	return parts, true
}

// gsm7Units returns the septets of r, or 0 if the alphabet lacks it.
func gsm7Units(r rune) int { return int(gsm7Table[r]) }

func ucs2Units(r rune) int { return max(1, utf16.RuneLen(r)) }

var gsm7Table = func() map[rune]uint8 {
	table := make(map[rune]uint8)
	for _, r := range gsm7Basic {
		table[r] = 1
	}
	for _, r := range gsm7Extension {
		table[r] = 2
	}
	return table
}()
