package gateway

import "unicode/utf16"

// The basic table but for the escape, and the extension, each of whose characters takes an escape and a
// septet (3GPP TS 23.038, sections 6.2.1 and 6.2.1.1).
const (
	gsm7Basic = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
		"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
	gsm7Extension = "\f^{}\\[~]|€"
)

// gsm7Units returns the septets of r, or 0 if the alphabet lacks it.
func gsm7Units(r rune) int {
	if int(r) < len(gsm7Table) {
		return int(gsm7Table[r])
	}
	if r == '€' {
		return 2
	}
	return 0
}

func ucs2Units(r rune) int { return max(1, utf16.RuneLen(r)) }

// gsm7Table has the septets of every character of the alphabet but the euro, which stands far behind the rest: the last
// of those is the omega.
var gsm7Table = func() (table [0x3A9 + 1]uint8) {
	for _, r := range gsm7Basic {
		table[r] = 1
	}
	for _, r := range gsm7Extension {
		if r != '€' {
			table[r] = 2
		}
	}
	return table
}()
