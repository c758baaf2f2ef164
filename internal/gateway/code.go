package gateway

import "strings"

// MaxCode is how long a carrier's code may be, in bytes: above the longest that vendors list (of AWS, 59).
const MaxCode = 64

// maxCodeDigits is how many digits a code may have: carriers put numbers where codes belong, and no vendor's own code has more.
const maxCodeDigits = 5

// IsCode reports whether a carrier's word is fit to be told in a log and a record: it looks like a code, of up to [MaxCode] letters,
// digits and a few marks, and with fewer than six digits. What is shorter and a verification's code it can't tell.
func IsCode(word string) bool {
	const marks = "._-:/"
	digits := 0
	for _, r := range word {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', strings.ContainsRune(marks, r):
		default:
			return false
		}
	}
	return word != "" && len(word) <= MaxCode && digits <= maxCodeDigits
}
