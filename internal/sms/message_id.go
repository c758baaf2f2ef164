package sms

import (
	"crypto/rand"
	"encoding/base64"

	"github.com/google/uuid"
)

// A message's id is the verification's, 16 bytes, and 8 random ones in which the messages of one verification differ, in
// base64url: 32 characters. So a receipt tells by itself whose it is, with nothing to be looked up and nothing to be stored
// for it, also where it comes before the send has returned.
const messageSalt = 8

var messageIDs = base64.RawURLEncoding

// newMessageID returns the id of a new message of a verification.
func newMessageID(smsID string) string {
	of := uuid.MustParse(smsID) // ids are UUIDs, see Options.NewID
	id := of[:]
	id = append(id, make([]byte, messageSalt)...)
	_, _ = rand.Read(id[len(of):]) // never fails
	return messageIDs.EncodeToString(id)
}

// smsIDOf returns the verification that a message's id belongs to; false: it is no message's id.
func smsIDOf(messageID string) (string, bool) {
	id, err := messageIDs.Strict().DecodeString(messageID)
	if err != nil || len(id) != len(uuid.Nil)+messageSalt {
		return "", false
	}
	of := uuid.UUID(id[:len(uuid.Nil)])
	return of.String(), true
}
