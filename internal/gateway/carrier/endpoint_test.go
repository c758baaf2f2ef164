package carrier_test

import (
	"strings"
	"testing"

	"smsd/internal/gateway/carrier"
)

func TestEndpoint(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"api.example.com":           "https://api.example.com/",
		"https://api.example.com/":  "https://api.example.com/",
		"https://api.example.com:8": "https://api.example.com:8/",
		"http://127.0.0.1:9000":     "http://127.0.0.1:9000/",
		"http://[::1]:9000":         "http://[::1]:9000/",
		"http://localhost":          "http://localhost/",
	} {
		if u, err := carrier.Endpoint(text); err != nil || u.String() != want {
			t.Errorf("%s: %v, %v; want %s", text, u, err, want)
		}
	}
	for _, text := range []string{
		"", "https://", "http://api.example.com", "ftp://api.example.com", "https://T0KEN@api.example.com", "https://api.example.com/T0KEN",
		"https://api.example.com?T0KEN", "https://api.example.com#T0KEN", "https://T0KEN\x00", "https://:443",
	} {
		if u, err := carrier.Endpoint(text); err == nil || strings.Contains(err.Error(), "T0KEN") {
			t.Errorf("%q: %v, %v", text, u, err)
		}
	}
}
