package sms

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"smsd/internal/records"
)

// Money is an amount, exact to a millionth. The zero Money is an amount that nobody knows.
type Money struct {
	Micros   int64  // millionths of the currency
	Currency string // ISO 4217; "": not known, and Micros is 0
}

// MaxAmount is the largest amount that a policy names, in whole units of a currency. A message costs less than that in
// every currency there is.
const MaxAmount = 1_000_000

const microsPerUnit = 1_000_000

// moneyForm takes what [ParseMoney] says, of as many digits as MaxAmount has at most.
var moneyForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,6})(?:\.([0-9]{1,6}))? ([A-Z]{3})$`)

// ParseMoney reads "0.0083 USD": whole units, up to six digits after a point, and a currency by its three capitals. It
// is exact: nothing is rounded. From 0 to MaxAmount.
func ParseMoney(text string) (Money, error) {
	found := moneyForm.FindStringSubmatch(text)
	if found == nil {
		return Money{}, fmt.Errorf("money: must be an amount with up to six digits after a point, and a currency (ISO 4217), as 0.0083 USD")
	}
	units, _ := strconv.ParseInt(found[1], 10, 64) // seven digits at most
	micros, _ := strconv.ParseInt((found[2] + "000000")[:6], 10, 64)
	m := Money{units*microsPerUnit + micros, found[3]}
	switch {
	case m.Currency == records.MixedCurrency:
		return Money{}, fmt.Errorf("money: %s is no currency", m.Currency)
	case m.Micros > MaxAmount*microsPerUnit:
		return Money{}, fmt.Errorf("money: must be at most %d", MaxAmount)
	}
	return m, nil
}

// IsZero reports whether nobody knows the amount. An amount of nothing is known.
func (m Money) IsZero() bool { return m.Currency == "" }

// Times returns n times m. n is 0 to some thousands.
func (m Money) Times(n int) Money { return Money{m.Micros * int64(n), m.Currency} }

// String returns "0.0083 USD", as ParseMoney reads it; "" for the zero Money.
func (m Money) String() string {
	if m.IsZero() {
		return ""
	}
	text := fmt.Sprintf("%d.%06d", m.Micros/microsPerUnit, m.Micros%microsPerUnit)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + " " + m.Currency
}
