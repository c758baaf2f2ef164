package throttle

import (
	"encoding/base64"
	"fmt"

	"smsd/internal/keyring"
)

// A key's tag is the first tagBytes of its subject's digest; what a name says of further subjects is
// nameBytes, taken from another part of theirs, so that nobody who reads a store can tell that a phone's
// key and a network's key speak of the same network.
const (
	tagBytes  = 16
	nameBytes = 9
)

type digest keyring.Digest

// hasher makes keyed digests.
type hasher struct{ mac *keyring.MAC }

func newHasher(secret []byte) *hasher { return &hasher{keyring.NewMAC(secret)} }

func (h *hasher) digest(parts ...string) digest { return digest(h.mac.Digest(parts...)) }

func (h *hasher) tag(k Kind, app, id string) Tag { return h.digest(k.tagName(), app, id).tag() }

func (d digest) tag() Tag {
	text := make([]byte, 0, 2*tagBytes) // room enough, and on the stack
	return Tag(base64.RawURLEncoding.AppendEncode(text, d[:tagBytes]))
}

func (d digest) name() []byte { return d[tagBytes : tagBytes+nameBytes] }

// tagName is the kind's name in digests.
func (k Kind) tagName() string {
	if k == 0 {
		return "total"
	}
	return k.String()
}

// keyer names the keys of one request; each subject is hashed once.
type keyer struct {
	h       *hasher
	app     string
	ids     [kinds]string
	digests [kinds]digest
	hashed  kindSet
	tags    [kinds]Tag
}

func newKeyer(h *hasher, subjects []Subject) keyer {
	k := keyer{h: h}
	for _, s := range subjects {
		if s.Kind < kinds {
			k.ids[s.Kind] = s.ID
		}
	}
	k.app = k.ids[App]
	return k
}

// key names the key of g; false if the request lacks one of its subjects.
func (k *keyer) key(g *group) (Key, bool, error) {
	for _, kind := range g.need {
		if k.ids[kind] == "" {
			return Key{}, false, nil
		}
	}
	if g.tag != 0 && g.tag != App && k.ids[g.tag] == "" {
		return Key{}, false, fmt.Errorf("throttle: subject %s without %s", IP, g.tag)
	}
	return Key{Tag: k.tag(g.tag), Name: k.name(g)}, true, nil
}

func (k *keyer) tag(kind Kind) Tag {
	if k.tags[kind] == "" {
		k.tags[kind] = k.digest(kind).tag()
	}
	return k.tags[kind]
}

// digest of the subject of a kind. App is part of every identity, but not of the one counter over all.
func (k *keyer) digest(kind Kind) *digest {
	if k.hashed.has(kind) {
		return &k.digests[kind]
	}
	app, id := k.app, k.ids[kind]
	switch kind {
	case 0:
		app, id = "", ""
	case App:
		id = ""
	}
	k.digests[kind] = k.h.digest(kind.tagName(), app, id)
	k.hashed |= 1 << kind
	return &k.digests[kind]
}

// name appends to the group's letters what its kinds beyond the tag's need: part of the one's digest, or
// of a digest over all of theirs.
func (k *keyer) name(g *group) string {
	if len(g.rest) == 0 {
		return g.name
	}
	part := k.digest(g.rest[0]).name()
	if len(g.rest) > 1 {
		all := make([]string, 0, kinds)
		for _, kind := range g.rest {
			all = append(all, string(k.digest(kind)[:]))
		}
		d := k.h.digest(all...)
		part = d.name()
	}
	b := make([]byte, 0, 32)
	b = append(b, g.name...)
	return string(base64.RawURLEncoding.AppendEncode(b, part))
}
