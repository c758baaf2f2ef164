package apikey

import "fmt"

// Kind says where a key may be used.
type Kind string

// The kinds.
const (
	Publishable Kind = "pk" // in browsers and mobile apps: send, resend and verify only
	Secret      Kind = "sk" // on servers
)

func (k Kind) known() bool { return k == Publishable || k == Secret }

// Word returns the kind as people write it, "publishable" or "secret": also its metric label.
func (k Kind) Word() string {
	switch k {
	case Publishable:
		return "publishable"
	case Secret:
		return "secret"
	}
	return "none"
}

// ParseKind reads what [Kind.Word] returns.
func ParseKind(word string) (Kind, error) {
	for _, k := range []Kind{Publishable, Secret} {
		if word == k.Word() {
			return k, nil
		}
	}
	return "", fmt.Errorf("kind: must be %s or %s", Publishable.Word(), Secret.Word())
}
