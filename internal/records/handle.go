package records

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"
)

// Handle is a message by the name that its carrier has for it, for carriers whose receipts know no other: whose it is, told when the
// carrier took it, and what receipts told of it. The two come in any order, from any instance, and often the latter comes again.
type Handle struct {
	// Gateway and ProviderID are the name; see [IsProviderID].
	Gateway    string `json:"gateway"`
	ProviderID string `json:"provider_id"`
	// SMSID is whose it is; "": not known to who writes this.
	SMSID string `json:"sms_id,omitzero"`
	// Fate is what a receipt told: DeliveredAt, FailedAt with Failure and FailureCode, Delivery and Billed; zero: nothing.
	Fate Fate `json:"fate,omitzero"`
}

// UnclaimedKept is how long a Handle is kept that is nobody's. A receipt may be quicker than the word of the instance that sent,
// which is milliseconds as a rule, and what an instance's spool takes to be replayed where its database was away.
const UnclaimedKept = 6 * time.Hour

// maxProviderID is what package gateway lets pass.
const maxProviderID = 256

// IsProviderID says whether an id can be that of a Handle: 1 to 256 bytes of text, as it is in the database.
func IsProviderID(id string) bool {
	return id != "" && len(id) <= maxProviderID && utf8.ValidString(id) && !strings.Contains(id, "\x00")
}

// Owner is whose a message is.
type Owner struct {
	SMSID string
	// Since is about when the carrier took it.
	Since time.Time
}

// Owners tells whose messages are.
type Owners interface {
	// Owners returns the owners of those messages of a gateway of which they are known.
	Owners(ctx context.Context, gateway string, providerIDs []string) (map[string]Owner, error)
}

// Handle hands over a name, an owner, or what was told, and returns at once.
func (b *Book) Handle(h Handle) *Pending {
	h.Fate = h.Fate.cleaned()
	h.Gateway, h.SMSID = clean(h.Gateway), clean(h.SMSID)
	return b.push(row{handle: &h, bytes: typicalRow, pending: newPending(b.wait)})
}
