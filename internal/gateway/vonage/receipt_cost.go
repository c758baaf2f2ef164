package vonage

import (
	"strconv"
	"strings"
)

// maxWhole is how many digits a price may have before its point: no message costs a thousand million.
const maxWhole = 9

// micros reads a price like 0.0333 in millionths, digit by digit. What is finer than that is rounded, half of it up. false: it is none.
func micros(price string) (int64, bool) {
	whole, fraction, _ := strings.Cut(price, ".")
	if whole == "" || len(whole) > maxWhole || strings.Trim(whole+fraction, "0123456789") != "" {
		return 0, false
	}
	tenths, err := strconv.ParseInt(whole+(fraction + "0000000")[:7], 10, 64)
	if err != nil { // 16 digits always fit
		return 0, false
	}
	return (tenths + 5) / 10, true
}
