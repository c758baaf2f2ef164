package httpapi

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"smsd/internal/throttle"
)

// The codes that programs go by and their statuses: none of them may change.
var promisedCodes = map[string]int{
	"invalid_request": 400, "unauthorized": 401, "destination_not_allowed": 403, "blocked": 403, "forbidden": 403,
	"token_invalid": 422, "token_expired": 410, "token_consumed": 409,
	"verification_not_found": 404, "not_found": 404, "method_not_allowed": 405, "clock_not_movable": 409,
	"code_expired": 410, "code_used": 410, "attempts_exhausted": 410, "body_too_large": 413,
	"unsupported_media_type": 415, "invalid_phone": 422, "unknown_scene": 422, "code_incorrect": 422,
	"undeliverable": 422, "request_in_progress": 409, "outcome_unknown": 409, "idempotency_mismatch": 422, "rate_limited": 429, "internal": 500, "gateway_failed": 502, "unavailable": 503,
}

func TestProblemTable(t *testing.T) {
	t.Parallel()
	table := newProblems()
	seen := map[string]bool{}
	for _, p := range table {
		if promisedCodes[p.code] != p.status {
			t.Errorf("%s: status %d, want %d", p.code, p.status, promisedCodes[p.code])
		}
		if seen[p.code] {
			t.Errorf("%s: twice", p.code)
		}
		seen[p.code] = true
		for _, err := range []error{p.example, fmt.Errorf("wrapped: %w", p.example)} {
			if got := find(table, err); got != p {
				t.Errorf("%s: its example is taken by %s", p.code, got.code)
			}
		}
		for _, text := range []string{p.detail, p.explain} {
			if !strings.HasSuffix(text, ".") || text[:1] != strings.ToUpper(text[:1]) {
				t.Errorf("%s: not a sentence: %q", p.code, text)
			}
		}
	}
	if len(seen) != len(promisedCodes) {
		t.Errorf("%d rows, want %d", len(seen), len(promisedCodes))
	}
}

// A document is the same whether it is encoded by package json or begins with what was.
func TestDocumentsAreWhatJSONWrites(t *testing.T) {
	t.Parallel()
	plain := 0
	for _, p := range newProblems() {
		for _, wait := range []int64{0, 1, math.MaxInt64} {
			d := p.document(p.example, exampleID)
			d.RetryAfter = wait
			want, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := d.encode(); err != nil || string(got) != string(want) {
				t.Errorf("%s: %s, want %s, %v", p.code, got, want, err)
			}
			if d.isPlain() {
				plain++
			}
		}
	}
	if plain < 30 {
		t.Errorf("%d documents were plain", plain)
	}
}

// tower-governor#65, flask-limiter#62: refused with 200 ms left, at the edge, or after it.
func TestRetryAfterIsWholeSecondsRoundedUp(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]int64{
		-time.Second: 1, 0: 1, 1: 1, 200 * time.Millisecond: 1, time.Second: 1, time.Second + 1: 2, 41001 * time.Millisecond: 42,
	} {
		err := &throttle.Denied{Decision: throttle.Decision{RetryAfter: wait}}
		if got := find(newProblems(), err).document(err, "id").RetryAfter; got != want {
			t.Errorf("a wait of %s is retry_after %d, want %d", wait, got, want)
		}
	}
}
