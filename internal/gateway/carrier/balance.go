package carrier

import (
	"strconv"
	"strings"
)

// lowBalance is below what somebody should look at an account. It is in whatever currency the account is: enough for a hundred
// messages or more nearly everywhere, and too little for a day's.
const lowBalance = 10

// Balance keeps a finding about an account's balance, a decimal number such as 1000.19, in currency. note says what is not in it;
// may be empty. topsUp says that the account is filled up by itself.
func (e *Examination) Balance(amount, currency, note string, topsUp bool) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(amount, ",", ""), 64)
	if err != nil || len(amount) > 32 || value != value {
		e.Doubtful("balance", "the carrier's number is none that can be read", "look at the carrier's console")
		return
	}
	text := strings.TrimSpace(strconv.FormatFloat(value, 'f', 2, 64) + " " + Words(currency))
	if note != "" {
		text += "; " + note
	}
	switch {
	case topsUp:
		e.Good("balance", text+"; it is filled up by itself")
	case value <= 0:
		e.Doubtful("balance", "nothing is left: "+text, "fill up the account, unless it has credit or packages that pay for messages")
	case value < lowBalance:
		e.Doubtful("balance", "little is left: "+text, "fill up the account, and let the carrier warn you")
	default:
		e.Good("balance", text)
	}
}
