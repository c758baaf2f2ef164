package policy

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

const localBlockKey = "local_block"

// defaultLocalBlock holds for a file that does not say. A block refuses only whom the file's own rules have refused five
// times, so it is there unless it is switched off; and it is short, since an address may be a whole campus's: half
// a minute takes from a script all but five trips to the store in each, and from people behind one address half a minute.
const defaultLocalBlock = 30 * time.Second

// localBlock is how long an address or a device is blocked, and where that stands.
type localBlock struct {
	length time.Duration // 0: not at all
	at     place
	stated bool
}

var localBlocks = span{0, throttle.MaxBlock, time.Second}

func readLocalBlock(o object) localBlock {
	p, there := o.fields[localBlockKey]
	if there && p.node.Value == "0" { // which Go takes for a duration
		p.fault("must have a unit, as 30s; 0s is off")
		return localBlock{}
	}
	return localBlock{o.duration(localBlockKey, defaultLocalBlock, localBlocks), p, there}
}

// warn says that the block which somebody wants never begins.
func (b localBlock) warn(t terms) {
	if b.stated && b.length > 0 && !slices.ContainsFunc(t.all(), func(r rule) bool { return blocks(r.Rule) }) {
		t.whose(b.at).warnf("blocks nobody: no enforced rule on sends or guesses counts by ip or by device without phone, prefix and country")
	}
}

// blocks reports whether refusals by r can block.
func blocks(r throttle.Rule) bool {
	return r.Blames() != 0 && r.Mode == throttle.Enforce && r.On != throttle.Verify && counts(r)
}
