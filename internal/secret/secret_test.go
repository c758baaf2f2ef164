package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"smsd/internal/secret"
)

func TestNothingPrintsASecret(t *testing.T) {
	const hidden = "a longer secret than any address has digits"
	type outer struct {
		Open   secret.Text
		closed secret.Text
	}
	text := secret.New(hidden)
	value := outer{Open: text, closed: text}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb, text, value, &value)
	}
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "a", text, "b", value)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "a", text, "b", value)
	if err := json.NewEncoder(&out).Encode(value); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), hidden) || strings.Contains(out.String(), fmt.Sprintf("%x", hidden)) {
		t.Fatalf("a secret was printed:\n%s", out.String())
	}
}

func TestZeroIsEmpty(t *testing.T) {
	var zero secret.Text
	if !zero.IsZero() || zero.Reveal() != "" || !secret.New("").IsZero() || secret.New("a").IsZero() {
		t.Fatal("the zero Text must be the empty text and nothing else")
	}
}

func TestEqual(t *testing.T) {
	text := secret.New("abc")
	if !text.Same(secret.New("abc")) || text.Same(secret.New("abd")) || text.Same(secret.Text{}) || !(secret.Text{}).Same(secret.Text{}) {
		t.Fatal("Same must compare what is held")
	}
	if !text.Equal("abc") || text.Equal("abd") || text.Equal("") || text.Reveal() != "abc" {
		t.Fatal("Equal must compare what is held")
	}
}
