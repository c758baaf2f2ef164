package idempotency

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Nothing that is stored tells a key, what was asked or what was answered, or that two asked the same.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.want(r.request("the-key-of-a-client", "+8613800138000"), r.send("the answer"), "the answer", false, nil)
	r.want(r.request("the-key-of-another", "+8613800138000"), r.send("the answer"), "the answer", false, nil)
	all := r.store.all()
	for _, e := range all {
		text := fmt.Sprintf("%s %s %s", e.ID[:], e.Content[:], e.Answer)
		for _, clear := range []string{"client", "another", "8000", "the answer"} {
			if strings.Contains(text, clear) {
				t.Errorf("%q is in %q", clear, text)
			}
		}
	}
	if len(all) != 2 || all[0].Content == all[1].Content {
		t.Errorf("two entries of one content can be told to be that: %v", all)
	}
	all[0].Answer, all[1].Answer = all[1].Answer, all[0].Answer
	r.store.byID[all[0].ID], r.store.byID[all[1].ID] = all[0], all[1]
	*r.now = start.Add(time.Minute)
	r.want(r.request("the-key-of-a-client", "+8613800138000"), r.never, "", false, ErrOutcomeUnknown) // another's answer is no answer
}

// Secrets rotate under entries: the keys' hashes stay, and answers open while their secret is in use.
func TestRotation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.want(r.request("k", "alice"), r.send("one"), "one", false, nil)
	r.ledger = r.instance(r.store, 2, 1)
	r.want(r.request("k", "alice"), r.never, "one", true, nil)
	r.ledger = r.instance(r.store, 2)
	r.want(r.request("k", "alice"), r.never, "", false, ErrOutcomeUnknown)
}
