package throttle

// Whom a refusal counts against. An address, or a device, is refused where a rule refuses that counts it and
// neither one person nor some numbers: by: [ip], or [ip, scene], but not [phone] and not [phone, ip], which refuse one number, not
// [ip, prefix] and [ip, country], which refuse the numbers near it, and not [ip, device], which refuses one device at one address.
// So the cooldowns of a hundred people behind one address never block it, nor does one of them who goes on with one number.

// blame is an address or a device that a rule refused, and how far the store's answer goes.
type blame struct {
	kind  Kind // IP or Device
	since generation
}

// Blames returns whom a refusal by r counts against, for [Request].Block: IP or Device, if r counts by that and neither
// by the number (Phone, Prefix, Country) nor by the other of the two; else 0.
func (r *Rule) Blames() Kind {
	persons := setOf(r.By) & setOf([]Kind{Phone, Prefix, Country, IP, Device})
	for _, k := range [...]Kind{IP, Device} {
		if persons == setOf([]Kind{k}) {
			return k
		}
	}
	return 0
}

func addBlame(all []blame, b blame) []blame {
	for _, other := range all {
		if other.kind == b.kind {
			return all
		}
	}
	return append(all, b)
}

// blames returns whom a refusal of the store counts against, with the generations of before it was asked.
func (a *asked) blames(since []generation, taken Taken) (all []blame) {
	a.eachCell(func(group, rule, verdict int) {
		if kind := a.groups[group].rules[rule].Blames(); kind != 0 && taken.Verdicts[verdict].Refused {
			all = addBlame(all, blame{kind, since[group]})
		}
	})
	return all
}

// asker is who asks, as far as a block knows them.
type asker struct{ app, host, device string }

func (k *keyer) asker() asker { return asker{k.app, k.ids[IP], k.ids[Device]} }

// blockName is what an address or a device is held under: another one under each policy version.
const blockName = "block"

// name names the address, or the device, of a; false if the request lacks it.
func (t *blockTable) name(a *asked, kind Kind) (entryID, bool) {
	id := a.asker.host
	if kind == Device {
		id = a.asker.device
	}
	return t.id(appendParts(make([]byte, 0, nameRoom), blockName, a.rules.id, kind.String(), a.asker.app, id)), id != ""
}

// count counts a refusal against those it blames.
func (t *blockTable) count(a *asked, blamed []blame) {
	if t == nil || a.block == 0 {
		return
	}
	for _, b := range blamed {
		if id, there := t.name(a, b.kind); there {
			t.refused(id, b.since, a.block)
		}
	}
}

// blocked returns the longer of the blocks of the address and the device; the zero Decision if there is none.
func (t *blockTable) blocked(a *asked) (longest Decision) {
	if t == nil || a.block == 0 || t.idle() {
		return Decision{}
	}
	for _, kind := range [...]Kind{IP, Device} {
		if id, there := t.name(a, kind); there {
			longest = longer(longest, Decision{Rule: LocalBlock, Used: blockAfter, Limit: blockAfter, RetryAfter: t.rest(id)})
		}
	}
	return longest
}
