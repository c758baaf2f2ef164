package gateway

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

// MaxSegments is the most that one message takes: the header numbers them in eight bits (3GPP TS 23.040, section 9.2.3.24.1).
const MaxSegments = 255

// Segments returns in how many billed parts text travels, and in which encoding. An empty text is one
// part. What is not UTF-8 counts as U+FFFD. It runs on each send; [Measure] tells more.
func Segments(text string) (n int, encoding Encoding) {
	f, encoding := fill(text)
	return f.parts, encoding
}

// filled is how a text fills its parts.
type filled struct {
	units int // of the text
	parts int
	left  int // units that stay free in the last part
}

// fill fills parts in the encoding that text needs.
func fill(text string) (filled, Encoding) {
	if f, ok := fillWith(text, gsm7Units, gsm7Single, gsm7Part); ok {
		return f, GSM7
	}
	f, _ := fillWith(text, ucs2Units, ucs2Single, ucs2Part)
	return f, UCS2
}

// fillWith fills parts one after the other. A character of two units (an escaped one, a surrogate pair) is
// not torn apart: it opens the next part, and a unit stays empty. ok is false if a character has no units.
func fillWith(text string, units func(rune) int, single, part int) (f filled, ok bool) {
	total, parts, used := 0, 1, 0
	for _, r := range text {
		u := units(r)
		if u == 0 {
			return filled{}, false
		}
		total += u
		if used+u > part {
			parts, used = parts+1, 0
		}
		used += u
	}
	if total <= single {
		return filled{total, 1, single - total}, true
	}
	return filled{total, parts, part - used}, true
}
