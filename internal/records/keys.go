package records

import (
	"fmt"

	"smsd/internal/address"
	"smsd/internal/keyring"
	"smsd/internal/phone"
)

// Keys hash who a row is about, and seal numbers. A subject's hash is the same in every app, so that all that is known
// of it can be found and erased at once. Immutable, safe for concurrent use; it prints without its keys.
type Keys struct{ subjects, numbers *keyring.Ring }

// NewKeys derives the keys from the secrets in rotation.
func NewKeys(root *keyring.Root) (*Keys, error) {
	subjects, err := root.Ring("smsd records v1: subjects")
	if err != nil {
		return nil, fmt.Errorf("records: %w", err)
	}
	numbers, err := root.Ring("smsd records v1: numbers")
	if err != nil {
		return nil, fmt.Errorf("records: %w", err)
	}
	return &Keys{subjects, numbers}, nil
}

// The kinds of subjects, as they are hashed.
const (
	kindPhone   = "phone"
	kindHost    = "host"
	kindNetwork = "network"
	kindDevice  = "device"
)

// Whom returns the hashes under the newest secret of a number, a client's host and network, and a device. What is
// zero has none.
func (k *Keys) Whom(n phone.Number, client address.Addr, device string) Whom {
	return Whom{
		Phone: k.hash(kindPhone, n.E164()), Host: k.hash(kindHost, client.Host()),
		Network: k.hash(kindNetwork, client.Network()), Device: k.hash(kindDevice, device),
	}
}

// Phones returns the hashes of n under every secret in rotation, newest first, to look for its rows; none for
// the zero Number.
func (k *Keys) Phones(n phone.Number) []Hash { return k.hashes(kindPhone, n.E164()) }

// Hosts is Phones for the host of a client: an IPv4 address, or the /64 of an IPv6 one.
func (k *Keys) Hosts(client address.Addr) []Hash { return k.hashes(kindHost, client.Host()) }

// Networks is Phones for the network of a client: its /24, or the /48 of an IPv6 one.
func (k *Keys) Networks(client address.Addr) []Hash { return k.hashes(kindNetwork, client.Network()) }

// Devices is Phones for a device.
func (k *Keys) Devices(device string) []Hash { return k.hashes(kindDevice, device) }

func (k *Keys) hash(kind, id string) Hash {
	if id == "" {
		return Hash{}
	}
	return cut(k.subjects.Hash(kind, id))
}

func (k *Keys) hashes(kind, id string) []Hash {
	if id == "" {
		return nil
	}
	digests := k.subjects.Hashes(kind, id)
	all := make([]Hash, len(digests))
	for i, d := range digests {
		all[i] = cut(d)
	}
	return all
}

// cut shortens a digest to a Hash.
func cut(d keyring.Digest) Hash { return Hash(d[:len(Hash{})]) }

// Seal closes a number with the newest secret and binds it to the verification.
func (k *Keys) Seal(smsID string, n phone.Number) ([]byte, error) {
	sealed, err := k.numbers.Seal(smsID, []byte(n.E164()))
	if err != nil {
		return nil, fmt.Errorf("records: %w", err)
	}
	return sealed, nil
}

// Open returns the number that was sealed for the verification with any secret in use. Its error unwraps to
// [keyring.ErrSeal] where another secret sealed it, it belongs to another verification or it is damaged, and to
// [phone.ErrInvalid] where no numbering plan has the number any longer.
func (k *Keys) Open(smsID string, sealed []byte) (phone.Number, error) {
	plain, err := k.numbers.Open(smsID, sealed)
	if err != nil {
		return phone.Number{}, fmt.Errorf("records: the number of a verification: %w", err)
	}
	n, err := phone.Parse(string(plain), "")
	if err != nil {
		return phone.Number{}, fmt.Errorf("records: the number of a verification: %w", err)
	}
	return n, nil
}

// Format writes how many secrets there are, for every verb.
func (k *Keys) Format(s fmt.State, _ rune) {
	_, _ = fmt.Fprintf(s, "keys of records from %d", k.subjects.Len())
}
