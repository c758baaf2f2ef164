package policy_test

import (
	"strings"
	"testing"

	"smsd/internal/policy"
)

// endless is a reader of comments, as of a pipe that somebody forgot.
type endless struct{}

func (endless) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = '#'
	}
	return len(into), nil
}

// What is read is bounded, and so large that it is refused for that.
func TestWhatIsReadIsBounded(t *testing.T) {
	t.Parallel()
	text, err := policy.Read(endless{})
	if err != nil || len(text) != policy.MaxSize+1 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	if _, _, err := policy.Parse(text); err == nil || !strings.Contains(err.Error(), "larger than 1048576 bytes") {
		t.Errorf("it is taken: %v", err)
	}
}
