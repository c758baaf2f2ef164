package carrier_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// What is told of several reports: those that can be read, if any can.
func TestReports(t *testing.T) {
	t.Parallel()
	type report struct{ ID string }
	receipt := func(r report) (gateway.Receipt, bool) { return gateway.Receipt{ProviderID: r.ID}, r.ID != "" }
	for body, want := range map[string]string{
		`[]`: "", `[{}]`: "", " \n[{\"id\": \"a\"}, {\"id\": \"b\"}]": "a b", `[{"id": "a"}, {"id": 7}, null, [], "x", {}]`: "a",
		`[7, null]`: "error", `[{"id": 7}]`: "error", `{"id": "a"}`: "error", `[{"id": "a"}`: "error", `[{"id": "a"}] x`: "error", ``: "error", `null`: "error",
	} {
		got, err := carrier.Reports([]byte(body), receipt)
		var ids []string
		for _, r := range got {
			ids = append(ids, r.ProviderID)
		}
		if text := strings.Join(ids, " "); err == nil && text != want || (err != nil) != (want == "error") || err != nil && !errors.Is(err, gateway.ErrUnreadable) {
			t.Errorf("%s: %v, %v; want %s", body, got, err, want)
		}
	}
}

func TestScalar(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"1"`: "1", `1`: "1", `0.10`: "0.10", `1e3`: "1e3", `null`: "", `"\u0031"`: "1", `true`: "error", `{}`: "error", `[1]`: "error", `1x`: "error",
	} {
		var s carrier.Scalar
		if err := json.Unmarshal([]byte(raw), &s); err == nil && string(s) != want || (err != nil) != (want == "error") {
			t.Errorf("%s: %q, %v; want %s", raw, s, err, want)
		}
	}
	for text, want := range map[carrier.Scalar]int{"1": 1, "255": 255, "256": 0, "-1": 0, "1.0": 0, "": 0} {
		if got := text.Count(); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestSecretInThePath(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{
		"": true, strings.Repeat("a", 16): true, "A-Z._~0123456789": true, strings.Repeat("a", 15): false, strings.Repeat("a", 129): false,
		"sixteen letters and a blank": false, "a/secret/with/slashes": false, "ein-geheimnis-für": false,
	} {
		if got := carrier.PathSecretFault(secret.New(text)); (got == "") != good {
			t.Errorf("%q: %q", text, got)
		}
	}
}
