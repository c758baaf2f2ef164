package sms

import (
	"fmt"
	"regexp"
	"strings"
)

// MaxAndroid is the longest message, in bytes, that Android hands to an app: "no longer than 140 bytes"
// (developers.google.com/identity/sms-retriever/verify, section 1, read November 2026). The page does not say in which
// encoding; those of UTF-8 are never fewer than a text of UCS-2 without ASCII takes on the air.
const MaxAndroid = 140

// lastLine returns what comes behind a text, with the empty line before it, as the examples of both formats have it.
func (c *composer) lastLine() text {
	switch {
	case c.WebOTP != "" && c.AndroidHash != "":
		// The one is by definition the last line (Origin-bound one-time codes, section 3.2, "last line"); of the other
		// Google's page said for years that a message must end with it, and its examples do.
		c.fault("android_hash", "can't stand beside web_otp: each must be the last line")
	case c.WebOTP != "":
		return c.boundLine()
	case c.AndroidHash != "":
		return c.hashLine()
	}
	return nil
}

// boundLine is the last line of an origin-bound code: one blank, and nothing else beside host and code (Origin-bound
// one-time codes delivered via SMS, Draft Community Group Report, sections 3.1 and 3.2).
func (c *composer) boundLine() text {
	if !isHost(c.WebOTP) {
		c.fault("web_otp", "must be a host name in small ASCII letters, as app.example.com, without a scheme, port or path")
		return nil
	}
	return text{{text: "\n\n@" + c.WebOTP + " #"}, {place: codePlace}}
}

// androidHash is the first 11 characters of a SHA-256 in base64 (sms-retriever/verify, "Computing your app's hash string").
var androidHash = regexp.MustCompile(`^[A-Za-z0-9+/]{11}$`)

func (c *composer) hashLine() text {
	if !androidHash.MatchString(c.AndroidHash) {
		c.fault("android_hash", "must be the 11 characters of the app's hash, as FA+9qCX9VSu")
		return nil
	}
	return text{{text: "\n\n" + c.AndroidHash}}
}

// label is one of a host name: letters, digits and hyphens, at most 63 (RFC 1035, section 2.3.4; RFC 1123, section 2.1).
var label = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// isHost reports whether s is a host name as an origin has it, and no address: its last label begins with a letter.
func isHost(s string) bool {
	labels := strings.Split(s, ".")
	if len(s) > 253 || len(labels) < 2 {
		return false
	}
	for _, l := range labels {
		if !label.MatchString(l) {
			return false
		}
	}
	last := labels[len(labels)-1][0]
	return 'a' <= last && last <= 'z'
}

// checkLines refuses lines that read as an origin-bound code by themselves: whoever may write a text could bind codes to
// another's pages with it.
func (t text) checkLines() error {
	for line := range strings.SplitSeq(t.filled("0"), "\n") {
		if isBound(line) {
			return fmt.Errorf("a line reads as @host #code, which browsers act upon; give web_otp in its place")
		}
	}
	return nil
}

// isBound reports whether line would be read as "@host #code", with anything behind it (section 3.2, steps 3 to 11).
func isBound(line string) bool {
	host, code, found := strings.Cut(line, " ")
	return found && len(host) > 1 && host[0] == '@' && len(code) > 1 && code[0] == '#' && !strings.HasPrefix(code[1:], " ")
}
