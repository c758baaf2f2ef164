package throttle

import (
	"fmt"
	"io"
)

// Kind says what is counted.
type Kind uint8

// The kinds of subject. The zero Kind is none. To add one: a constant here, a row of kindTable, its place
// in tagOrder, and the one place where a caller fills it in.
const (
	Phone   Kind = iota + 1 // a telephone number
	Scene                   // why the event happens; counted as a mark on entries, not as a key
	IP                      // a host: an IPv4 address or an IPv6 /64
	IPNet                   // a network: a /24 or a /48
	Device                  // what the client says its device is
	App                     // the caller's application
	Country                 // ISO 3166
	Prefix                  // a number without its last four digits
	kinds   = iota + 1
)

// kindTable says what each kind is called: by a policy, and in the names of keys. Both are lasting: other
// words break policies, other letters are other counters.
var kindTable = [kinds]struct {
	word   string
	letter byte // 0: in no key
}{
	Phone:   {"phone", 'p'},
	Scene:   {"scene", 0},
	IP:      {"ip", 'i'},
	IPNet:   {"ip_net", 'n'},
	Device:  {"device", 'd'},
	App:     {"app", 'a'},
	Country: {"country", 'c'},
	Prefix:  {"prefix", 'x'},
}

// tagOrder: a key is tagged by the first of these that it has. So the keys of a phone stand together,
// and so do those of a network and its hosts: an IP is tagged by its IPNet. A Scene is in no key.
var tagOrder = []Kind{Phone, IPNet, Device, Prefix, Country, App}

// Kinds returns every kind, in the order of the constants.
func Kinds() []Kind { return (kindSet(1)<<kinds - 1).list() }

// String returns the policy's word for k.
func (k Kind) String() string {
	if k == 0 || k >= kinds {
		return "none"
	}
	return kindTable[k].word
}

// Subject is who is counted, under one kind. It prints without its id.
type Subject struct {
	Kind Kind
	// ID is canonical: equal subjects have equal ids. It is hashed with the index secret before
	// any store sees it. An empty ID is a subject that the request lacks.
	ID string
}

// String returns the kind alone.
func (s Subject) String() string { return s.Kind.String() }

// Format writes [Subject.String] for every verb.
func (s Subject) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }
