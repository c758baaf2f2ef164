package sms

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"github.com/google/uuid"

	"smsd/internal/keyring"
)

// A message's id is the verification's, 16 bytes, when it was made, in seconds, 4, three random ones and a keyed check of
// these, 4; in base64url 36 characters, as many as a UUID has, which every carrier takes. So a receipt tells by itself whose it is
// and how long the message was under way, with nothing to be looked up and nothing to be stored for it, also where it comes before
// the send has returned. By the check an id that is none of ours is known as such: of those that a carrier account has from other
// systems nothing is ever stored. It guards room in a database, and nothing else, so that 32 bits are enough.
const (
	messageAt    = 16
	messageNonce = messageAt + 4
	messageCheck = messageNonce + 3
	messageSize  = messageCheck + 4
	messageText  = messageSize / 3 * 4
)

var messageIDs = base64.RawURLEncoding.Strict()

// messageID returns the id of a new message of a verification.
func (k *Keyring) messageID(smsID string, at time.Time) string {
	var id [messageSize]byte
	of := uuid.MustParse(smsID) // ids are UUIDs, see NewID
	copy(id[:], of[:])
	binary.BigEndian.PutUint32(id[messageAt:], uint32(at.Unix())) // until 2106
	_, _ = rand.Read(id[messageNonce:messageCheck])               // never fails
	check := k.messages.Hash(string(id[:messageCheck]))
	copy(id[messageCheck:], check[:])
	var text [messageText]byte
	messageIDs.Encode(text[:], id[:])
	return string(text[:])
}

// origin is what a message's id tells.
type origin struct {
	smsID string
	at    time.Time
}

// originOf returns the verification that a message's id belongs to; false: it is none that was made here.
func (k *Keyring) originOf(messageID string) (origin, bool) {
	id, err := messageIDs.DecodeString(messageID)
	if err != nil || len(id) != messageSize || !k.made(id) {
		return origin{}, false
	}
	at := time.Unix(int64(binary.BigEndian.Uint32(id[messageAt:])), 0).UTC()
	return origin{uuid.UUID(id[:messageAt]).String(), at}, true
}

// made reports whether the check is that of a secret in rotation.
func (k *Keyring) made(id []byte) bool {
	check := id[messageCheck:]
	return slices.ContainsFunc(k.messages.Hashes(string(id[:messageCheck])), func(d keyring.Digest) bool {
		return hmac.Equal(d[:len(check)], check)
	})
}
