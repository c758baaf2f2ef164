package records

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// Listing is one of the two lists.
type Listing string

// The listings.
const (
	OfVerifications Listing = "verifications"
	OfDecisions     Listing = "decisions"
)

// FilterInfo describes a filter to people. Its Name is a query's parameter and a command's flag. Known is all that it takes; nil: that is
// no list.
type FilterInfo struct {
	Name, Help string
	Known      []string
}

// Filters returns those of a listing, in the order in which people read of them.
func (l Listing) Filters() []FilterInfo {
	var all []FilterInfo
	for _, f := range filters {
		if f.isOf(l) {
			all = append(all, f.FilterInfo)
		}
	}
	return all
}

// Bounds of a filter's text, in bytes.
const (
	maxWord   = 64  // names and ids
	maxDevice = 128 // as in a request
)

// Errors of a filter's text. They never hold it.
var (
	errTooLong = errors.New("too long")
	errText    = errors.New("not what this filter takes")
)

// filters are what may be asked for. only is the one listing that has it; "": both.
var filters = []filter{
	{FilterInfo{Name: "app", Help: "the caller's app"}, "", word(func(f *Filter) *string { return &f.App })},
	{FilterInfo{Name: "scene", Help: "why the code was sent"}, "", word(func(f *Filter) *string { return &f.Scene })},
	{FilterInfo{Name: "country", Help: "the number's country (ISO 3166)"}, "", country},
	listed("state", "where a verification is in its life", States(), OfVerifications, func(f *Filter) *string { return (*string)(&f.State) }),
	listed("outcome", "how an attempt ended", Outcomes(), OfDecisions, func(f *Filter) *string { return &f.Outcome }),
	listed("action", "what was asked for", Actions(), OfDecisions, func(f *Filter) *string { return &f.Action }),
	{FilterInfo{Name: "rule", Help: "the limit that refused, or the entry of the block list"}, OfDecisions, word(func(f *Filter) *string { return &f.Rule })},
	{FilterInfo{Name: "shadow", Help: "a limit in shadow mode that would have refused"}, OfDecisions, word(func(f *Filter) *string { return &f.Shadow })},
	{FilterInfo{Name: "request_id", Help: "as the client saw it in X-Request-Id"}, "", id(func(f *Filter) *string { return &f.RequestID })},
	{FilterInfo{Name: "sms_id", Help: "as the client was told"}, "", id(func(f *Filter) *string { return &f.SMSID })},
	{FilterInfo{Name: "phone", Help: "the number, with its country code"}, "", number},
	{FilterInfo{Name: "ip", Help: "a client's address; of IPv6 its /64"}, "", host},
	{FilterInfo{Name: "network", Help: "a client's network: an address in it, or as 203.0.113.0/24 or 2001:db8:1::/48"}, "", network},
	{FilterInfo{Name: "device", Help: "what the client said its device is"}, "", device},
	{FilterInfo{Name: "from", Help: "the first instant (RFC 3339, or a day)"}, "", instantOf(func(f *Filter) *time.Time { return &f.From })},
	{FilterInfo{Name: "until", Help: "the first instant that is not meant any more (RFC 3339, or a day)"}, "", instantOf(func(f *Filter) *time.Time { return &f.Until })},
}

type filter struct {
	FilterInfo
	only Listing
	set  func(*Filter, *Keys, string) error
}

func (f filter) isOf(l Listing) bool { return f.only == "" || f.only == l }

// isWord says whether s is printable text of 1 to most bytes. What else there is is in no row, and some databases refuse it.
func isWord(s string, most int) bool {
	return s != "" && len(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func checkWord(s string, most int) error {
	switch {
	case len(s) > most:
		return errTooLong
	case !isWord(s, most):
		return errText
	}
	return nil
}

func word(field func(*Filter) *string) func(*Filter, *Keys, string) error {
	return func(f *Filter, _ *Keys, text string) error {
		*field(f) = text
		return checkWord(text, maxWord)
	}
}

// id is a word, of which one in capitals is meant as it was made.
func id(field func(*Filter) *string) func(*Filter, *Keys, string) error {
	return func(f *Filter, keys *Keys, text string) error {
		if lower := strings.ToLower(text); isSMSID(lower) {
			text = lower
		}
		return word(field)(f, keys, text)
	}
}

func country(f *Filter, _ *Keys, text string) error {
	f.Country = strings.ToUpper(text)
	if !phone.IsCountry(f.Country) && f.Country != phone.World {
		return errText
	}
	return nil
}

// listed is a filter of which everything that it takes is known: anything else is a slip, and no reason to find nothing.
func listed(name, help string, known []string, of Listing, field func(*Filter) *string) filter {
	return filter{FilterInfo{name, help + ": " + oneOf(known), known}, of, func(f *Filter, _ *Keys, text string) error {
		*field(f) = text
		if !slices.Contains(known, text) {
			return notListed{known}
		}
		return nil
	}}
}

// notListed is a text that is none of a list.
type notListed struct{ known []string }

func (n notListed) Error() string { return "must be " + oneOf(n.known) }

// oneOf lists words for people.
func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// unescaped mends a + that nobody escaped in a query, and that arrived as a blank.
func unescaped(text string) string {
	if strings.HasPrefix(text, " ") {
		return "+" + text[1:]
	}
	return text
}

func number(f *Filter, keys *Keys, text string) error {
	if len(text) > phone.MaxInput {
		return errTooLong
	}
	n, err := phone.Parse(unescaped(text), "")
	f.Phones = keys.Phones(n)
	return err
}

func host(f *Filter, keys *Keys, text string) error {
	a, err := address.Parse(text)
	if err != nil {
		return errText
	}
	f.Hosts = keys.Hosts(a)
	return nil
}

// network takes an address of the network, or the network itself as it is counted.
func network(f *Filter, keys *Keys, text string) error {
	inside, _, isPrefix := strings.Cut(text, "/")
	a, err := address.Parse(inside)
	if err != nil {
		return errText
	}
	if isPrefix {
		if p, err := netip.ParsePrefix(text); err != nil || p.Masked().String() != a.Network() {
			return errText
		}
	}
	f.Networks = keys.Networks(a)
	return nil
}

func device(f *Filter, keys *Keys, text string) error {
	if err := checkWord(text, maxDevice); err != nil {
		return err
	}
	f.Devices = keys.Devices(text)
	return nil
}

func instantOf(field func(*Filter) *time.Time) func(*Filter, *Keys, string) error {
	return func(f *Filter, _ *Keys, text string) error {
		if len(text) > maxWord {
			return errTooLong
		}
		t, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t, err = time.Parse(time.RFC3339Nano, strings.ReplaceAll(text, " ", "+"))
		}
		if err != nil || !isPlausible(t) {
			return errText
		}
		*field(f) = t.UTC()
		return nil
	}
}

// isPlausible leaves out instants that no row has and some database may not know.
func isPlausible(t time.Time) bool { return t.Year() >= 2000 && t.Year() < 2200 }
