package gatewaytest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"smsd/internal/gateway"
)

// wrongError returns what is wrong with an error.
func (b receiptBench) wrongError(receipts []gateway.Receipt, err error, p gateway.Post) []string {
	var found []string
	if len(receipts) != 0 {
		found = append(found, "Receipts returned receipts beside an error")
	}
	if !errors.Is(err, gateway.ErrForged) && !errors.Is(err, gateway.ErrUnreadable) {
		found = append(found, fmt.Sprintf("Receipts returned a %T that is neither ErrForged nor ErrUnreadable", err))
	}
	for _, e := range chain(err) {
		if repeatsPost(fmt.Sprintf("%v %+v %#v", e, e, e), p, b.harness.Secrets) {
			found = append(found, fmt.Sprintf("an error of type %T holds a part of the call or a credential", e))
		}
	}
	return found
}

// repeatsPost reports whether text has a word of p, of those that could tell anything, or a secret.
func repeatsPost(text string, p gateway.Post, secrets []string) bool {
	told := []string{string(p.Body), p.URL, p.Secret}
	for _, values := range p.Header {
		told = append(told, values...)
	}
	for _, word := range strings.FieldsFunc(strings.Join(told, " "), func(r rune) bool { return !isWord(r) }) {
		if strings.ContainsAny(word, "0123456789") && len(word) >= 6 && strings.Contains(text, word) {
			return true
		}
	}
	return slices.ContainsFunc(secrets, func(s string) bool { return strings.Contains(text, s) })
}

func isWord(r rune) bool { return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// wrongReceipt returns what no receipt may be.
func wrongReceipt(r gateway.Receipt) []string {
	var found []string
	undelivered := r.State == gateway.Undelivered
	for fault, is := range map[string]bool{
		"a receipt has no id":                                        r.MessageID == "" && r.ProviderID == "",
		"a receipt's state is none":                                  !undelivered && r.State != gateway.Delivered && r.State != gateway.UnderWay,
		"a receipt has a reason and is not undelivered":              r.Reason != "" && !undelivered,
		"a receipt's reason is not of the list":                      r.Reason != "" && !slices.Contains(gateway.Reasons(), r.Reason),
		"a receipt's code is not fit to be told":                     r.Code != "" && !gateway.IsCode(r.Code),
		"a receipt has a code and is not undelivered":                r.Code != "" && !undelivered,
		"a receipt's parts are less than none":                       r.Segments < 0,
		"a receipt costs less than nothing":                          r.CostMicros < 0,
		"a receipt has a cost without a currency":                    r.CostMicros != 0 && len(r.Currency) != 3,
		"a receipt's time is not UTC":                                r.At.Location() != time.UTC,
		"a receipt's id has more than 256 characters":                len(r.MessageID) > gateway.MaxProviderID || len(r.ProviderID) > gateway.MaxProviderID,
		"a receipt's currency is there, and is no three-letter code": r.Currency != "" && len(r.Currency) != 3,
	} {
		if is {
			found = append(found, fault)
		}
	}
	return found
}
