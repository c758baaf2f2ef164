package apikey

import "fmt"

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
