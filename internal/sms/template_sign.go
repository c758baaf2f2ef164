package sms

import (
	"fmt"
	"strings"
)

// MaxSign is the longest signature, in bytes, with its variables and without: twenty Chinese characters, where carriers want
// the short name of a firm or a product.
const MaxSign = 64

// parseSign reads a signature, in which variables may stand.
func parseSign(raw string, known Variables) (string, error) {
	t, err := parseText(raw, MaxSign, known)
	switch {
	case err != nil:
		return "", err
	case t.count(noPlace) != len(t):
		return "", fmt.Errorf("must not hold {{.Code}} or {{.Minutes}}")
	}
	words := t.filled("")
	return words, checkFree(words)
}

// checkSign reports a signature in a text that has one in front of it already, a second one, and one that is not where
// carriers look for it, at the beginning or at the end. What stands in 【】 elsewhere they take for a signature too, and
// refuse the message.
func (t text) checkSign(signed, tailed bool) error {
	const mark = "\x00" // stands in no text
	words := t.filled(mark)
	opens, closes := strings.Count(words, "【"), strings.Count(words, "】")
	switch {
	case opens+closes == 0:
		return nil
	case signed:
		return fmt.Errorf("holds 【 or 】 beside sign, which puts them there")
	case opens > 1 || closes > 1:
		return fmt.Errorf("holds more than one signature in 【】")
	}
	return checkInner(words, mark, tailed)
}

// checkInner checks the only 【】 of a text.
func checkInner(words, mark string, tailed bool) error {
	front, rest, _ := strings.Cut(words, "【")
	inner, end, paired := strings.Cut(rest, "】")
	switch {
	case !paired || front != "" && end != "":
		return fmt.Errorf("the signature in 【】 must stand at the beginning or at the end")
	case front != "" && tailed:
		return fmt.Errorf("the signature in 【】 must stand at the beginning, for another line comes at the end")
	case strings.Contains(inner, mark):
		return fmt.Errorf("the signature in 【】 must not hold {{.Code}} or {{.Minutes}}")
	case strings.TrimSpace(inner) == "":
		return fmt.Errorf("the signature in 【】 is empty")
	}
	return nil
}
