package config

import (
	"github.com/knadh/koanf/v2"

	"smsd/internal/secret"
)

// entry is one value as somebody gave it. Its text is masked whatever setting it is for: at this point
// a slip may have put a password anywhere.
type entry struct {
	text   secret.Text
	origin Origin
	// faulty says that what was given could not be read, which is a Fault already. It stands over the
	// layers below as any value does: nothing takes the place of what somebody gave.
	faulty bool
}

// layer is what one source gives, by key. A secret given as a file stands under its own key already.
type layer map[string]entry

// merge lays the layers over each other, the last on top, and returns which entry stands for each
// key. koanf merges by number, so that no copy of a secret is left in it.
func merge(layers ...layer) (layer, error) {
	merged := koanf.New(".")
	var all []entry
	for _, l := range layers {
		for key, e := range l {
			all = append(all, e)
			if err := merged.Set(key, len(all)-1); err != nil {
				return nil, err
			}
		}
	}
	effective := layer{}
	for _, key := range merged.Keys() {
		effective[key] = all[merged.Int(key)]
	}
	return effective, nil
}
