package records

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Search is what rows to look for, read and checked by [Desk.Search]. It prints without whom it is about.
type Search struct {
	listing Listing
	filter  Filter
	mark    string // tells it from another search
}

// Format writes the listing, for every verb.
func (s Search) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "search of %s", s.listing) }

// FilterFault is a filter that can't be read. It never holds the text.
type FilterFault struct {
	Name    string
	TooLong bool
	Known   []string // all that it takes, if that is a list
	// Err unwraps to [phone.ErrInvalid] where it is a number that can't be read.
	Err error
}

func newFilterFault(name string, err error) *FilterFault {
	list, _ := errors.AsType[notListed](err)
	return &FilterFault{Name: name, TooLong: errors.Is(err, errTooLong), Known: list.known, Err: err}
}

func (f *FilterFault) Error() string { return fmt.Sprintf("%s: %v", f.Name, f.Err) }

// Unwrap returns why.
func (f *FilterFault) Unwrap() error { return f.Err }

// FilterFaults are all that is wrong with a search.
type FilterFaults []*FilterFault

func (f FilterFaults) Error() string { return errors.Join(f.Unwrap()...).Error() }

// Unwrap returns each of them.
func (f FilterFaults) Unwrap() []error {
	all := make([]error, len(f))
	for i, one := range f {
		all[i] = one
	}
	return all
}

var (
	errUnknownFilter = errors.New("no such filter")
	errSpan          = errors.New("must be later than from")
)

// Search reads filters: text by the names of [Listing.Filters]; an empty text is no filter. States are those of this
// instant. The error is [FilterFaults].
func (d *Desk) Search(l Listing, text map[string]string) (Search, error) {
	s := Search{listing: l}
	var found FilterFaults
	for _, name := range slices.Sorted(maps.Keys(text)) {
		if text[name] == "" {
			continue
		}
		if err := s.set(d.keys, name, text[name]); err != nil {
			found = append(found, newFilterFault(name, err))
		}
	}
	if from, until := s.filter.From, s.filter.Until; !from.IsZero() && !until.IsZero() && !from.Before(until) {
		found = append(found, newFilterFault("until", errSpan))
	}
	if len(found) > 0 {
		return Search{}, found
	}
	s.mark = fmt.Sprintf("%s %#v", l, s.filter)
	s.filter.Now = d.now().UTC()
	return s, nil
}

func (s *Search) set(keys *Keys, name, text string) error {
	at := slices.IndexFunc(filters, func(f filter) bool { return f.Name == name && f.isOf(s.listing) })
	if at < 0 {
		return errUnknownFilter
	}
	return filters[at].set(&s.filter, keys, text)
}
