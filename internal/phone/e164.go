package phone

import (
	"strconv"
	"strings"
	"sync"

	"github.com/nyaruka/phonenumbers/v2/metadata"
)

// Most numbers arrive as E.164 and are read as what they say. [phonenumbers.Parse] looks in them for extensions,
// prefixes, letters and local forms all the same, which took half the CPU time of a refused send; here the same
// metadata is asked only what such a number depends on. The fuzz test holds the two to the same answers.

// readE164 reads "+" and ASCII digits. It is not ok where only the library can tell what the number is or
// what is wrong with it.
func readE164(text string) (l line, ok bool) {
	digits, international := strings.CutPrefix(text, "+")
	if !international || len(digits) > maxDigits {
		return line{}, false
	}
	calling, p := planOf(digits)
	if p == nil {
		return line{}, false
	}
	national, regions := digits[calling:], p.regions()
	if len(regions) == 0 || !regions[0].takes(national) {
		return line{}, false
	}
	number, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return line{}, false
	}
	country, typ := place(regions, national)
	return line{number, country, calling, typ}, true
}

// maxCalling is the longest calling code, in digits (ITU-T E.164, section 6.2.1).
const maxCalling = 3

// planOf returns the plan that digits belong to, and the length of its calling code. No code begins another.
func planOf(digits string) (calling int, p *plan) {
	for calling = 1; calling <= min(maxCalling, len(digits)); calling++ {
		if p := plans[digits[:calling]]; p != nil {
			return calling, p
		}
	}
	return 0, nil
}

// plan is the regions that share a calling code, the main one first: none if the metadata holds what an automaton can't tell. They
// are read when they are first needed, for their expressions take a while to compile.
type plan struct{ regions func() []*region }

var plans = newPlans()

func newPlans() map[string]*plan {
	all := map[string]*plan{}
	for code, names := range metadata.CountryCodeToRegion() {
		all[strconv.Itoa(code)] = &plan{sync.OnceValue(func() []*region { return newRegions(code, names) })}
	}
	return all
}

func newRegions(code int, names []string) []*region {
	var all []*region
	for _, name := range names {
		data, known := metadata.RegionMetadata(name)
		if name == World {
			data, known = metadata.NonGeoMetadata(code)
		}
		if !known {
			continue
		}
		r, err := newRegion(name, data)
		if err != nil {
			return nil
		}
		all = append(all, r)
	}
	return all
}

// place finds the number's region, or else the main one, where its type is not known.
func place(regions []*region, national string) (country string, typ Type) {
	for _, r := range regions {
		if typ, here := r.find(national); here || len(regions) == 1 {
			return r.country, typ
		}
	}
	return regions[0].country, Unknown
}
