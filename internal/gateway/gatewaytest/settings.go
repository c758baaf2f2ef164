package gatewaytest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"smsd/internal/gateway/carrier"
)

// Spoiled is a change of settings that are right, and what is said of it. What must not be told of a setting has T0KEN in it.
type Spoiled[C any] struct {
	Spoil func(*C)
	Want  []string // the settings at fault, sorted; nil: none
	Says  string   // is in the error
}

// WantFaults fails unless open says of each of rows what it must: every fault at once, as [carrier.Faults], and nothing that was given.
func WantFaults[C any](t *testing.T, right func() C, open func(C) error, rows []Spoiled[C]) {
	t.Helper()
	for i, row := range rows {
		c := right()
		row.Spoil(&c)
		err := open(c)
		found, _ := errors.AsType[carrier.Faults](err)
		got, said := slices.Sorted(maps.Keys(found)), fmt.Sprint(err)
		if !slices.Equal(got, row.Want) || (err == nil) != (row.Want == nil) || strings.Contains(said, "T0KEN") || !strings.Contains(said, row.Says) {
			t.Errorf("row %d: %v, want faults of %q: %s", i, err, row.Want, row.Says)
		}
	}
}
