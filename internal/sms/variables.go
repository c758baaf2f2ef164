package sms

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of variables, in bytes but for their number. Values are names of products and firms.
const (
	MaxVariables    = 64
	MaxVariableName = 32
	MaxVariable     = 100
)

// Variables are texts that stand in templates by their names, as {{.Product}}: so one template serves several apps.
type Variables map[string]string

var variableName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// CheckVariableName returns what is wrong with a name, or nil.
func CheckVariableName(name string) error {
	switch _, taken := places[name]; {
	case taken:
		return fmt.Errorf("is what the service puts in itself")
	case len(name) > MaxVariableName || !variableName.MatchString(name):
		return fmt.Errorf("must be 1 to %d letters and digits (a-z, A-Z, 0-9), and begin with a capital", MaxVariableName)
	}
	return nil
}

// CheckVariable returns what is wrong with a value, or nil. What a variable holds is put into messages that people trust:
// so it is one line without a link, without anything that programs act upon, and without the brackets of a signature.
func CheckVariable(value string) error {
	switch {
	case strings.TrimSpace(value) != value || value == "":
		return fmt.Errorf("must be a text, without blanks around it")
	case len(value) > MaxVariable:
		return fmt.Errorf("must be at most %d bytes", MaxVariable)
	case strings.Contains(value, "{{") || strings.Contains(value, "}}"):
		return fmt.Errorf("must not hold double braces")
	}
	return checkFree(value)
}

// checkFree checks what carriers know as a free variable, which they let through without having seen it.
func checkFree(value string) error {
	switch {
	case !utf8.ValidString(value):
		return fmt.Errorf("not UTF-8")
	case strings.ContainsFunc(value, isUnseen):
		return fmt.Errorf("must be one line, without control characters or invisible ones")
	case strings.ContainsAny(value, "【】"):
		return fmt.Errorf("must not hold 【 or 】, which are for the signature")
	}
	plain := plainly(value)
	switch {
	case strings.Contains(plain, "@"):
		return fmt.Errorf("must not hold @, which makes a mail address or binds a code to a host")
	case link.MatchString(plain):
		return fmt.Errorf("must not hold a link, or what a phone takes for one, as example.com")
	}
	return nil
}

// joiners are invisible, and yet part of some languages' words and of emoji.
const joiners = "\u200c\u200d"

// isUnseen reports characters that break a line, or that nobody sees: a text could be another than it seems.
func isUnseen(r rune) bool {
	return unicode.Is(unicode.C, r) && !strings.ContainsRune(joiners, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

// plainly is value as links in it are found: phones take full-width letters and dots for plain ones (Unicode UTS #46,
// section 2.3, lists the dots).
func plainly(value string) string {
	return strings.NewReplacer("\u200c", "", "\u200d", "", "。", ".").Replace(strings.ToLower(norm.NFKC.String(value)))
}

// link is a scheme, a www., a word with a dot and a word of two letters or more behind it, or an address of four numbers.
var link = regexp.MustCompile(`[a-z][a-z0-9+.-]*://|\b(mailto|tel|sms|smsto|data|javascript|intent):|\bwww\.` +
	`|[\pL\pN]\.(\pL[\pL\pM\pN-]*[\pL\pM\pN])|[0-9]\.[0-9]+\.[0-9]+\.[0-9]`)
