package throttle

import (
	"fmt"
	"io"
	"strings"
)

// Kind says what is counted.
type Kind uint8

// The kinds of subject. The zero Kind is none. To add one: a row here, a name below, and the one
// place where a caller fills it in.
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

// kindNames are the policy's words, in the order of the constants.
var kindNames = [kinds]string{"", "phone", "scene", "ip", "ip_net", "device", "app", "country", "prefix"}

// String returns the policy's word for k.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return "none"
	}
	return kindNames[k]
}

// ParseKind reads a word of the policy.
func ParseKind(s string) (Kind, error) {
	for k := Phone; k < kinds; k++ {
		if kindNames[k] == s {
			return k, nil
		}
	}
	return 0, fmt.Errorf("subject %q: must be one of %s", s, strings.Join(kindNames[1:], ", "))
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
