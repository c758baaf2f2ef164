package records

import (
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"
)

// errCursor is a cursor that no page gave, or one of another search.
var errCursor = errors.New("not a cursor of this search")

// A cursor's text is base64 of a version, a keyed hash of the search and of all that follows, the instant at which states
// are told, and the row behind which it stands. So whatever comes back was given, and for the same search.
const (
	cursorVersion = 1
	cursorAt      = 1 + len(Hash{})
	cursorRow     = cursorAt + 8 + 8
	maxCursorRow  = 64
	// MaxCursor is the longest cursor, in bytes.
	MaxCursor = (cursorRow + maxCursorRow + 2) / 3 * 4
)

// kindCursor is hashed as a subject is, under a name that no subject has.
const kindCursor = "cursor"

// cursorBehind writes the cursor behind a row; "" where there are no more.
func (d *Desk) cursorBehind(s Search, at Cursor) string {
	if at == (Cursor{}) {
		return ""
	}
	text := binary.BigEndian.AppendUint64(make([]byte, 0, 16+len(at.Row)), uint64(s.filter.Now.UnixNano()))
	text = binary.BigEndian.AppendUint64(text, uint64(at.At.UnixNano()))
	text = append(text, at.Row...)
	mark := cut(d.keys.subjects.Hash(kindCursor, s.mark, string(text)))
	return base64.RawURLEncoding.EncodeToString(append(append([]byte{cursorVersion}, mark[:]...), text...))
}

// from returns s from a cursor on; "" is the beginning.
func (d *Desk) from(s Search, cursor string) (Search, error) {
	if cursor == "" {
		return s, nil
	}
	if len(cursor) > MaxCursor {
		return s, errTooLong
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(text) < cursorRow || text[0] != cursorVersion || !d.gave(s, Hash(text[1:cursorAt]), string(text[cursorAt:])) {
		return s, errCursor
	}
	s.filter.Now = nanos(text[cursorAt:])
	s.filter.After = Cursor{At: nanos(text[cursorAt+8:]), Row: string(text[cursorRow:])}
	return s, nil
}

// gave says whether a desk with one of the secrets in rotation gave this for s.
func (d *Desk) gave(s Search, mark Hash, text string) bool {
	for _, digest := range d.keys.subjects.Hashes(kindCursor, s.mark, text) {
		if own := cut(digest); subtle.ConstantTimeCompare(own[:], mark[:]) == 1 {
			return true
		}
	}
	return false
}

func nanos(b []byte) time.Time { return time.Unix(0, int64(binary.BigEndian.Uint64(b))).UTC() }
