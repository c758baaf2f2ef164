package twilio

import (
	"strings"
	"testing"

	"smsd/internal/secret"
)

// The examples that the vendor has published: on its page on security (twilio.com/docs/usage/security, Validating requests), and in its SDK
// for Go (client/request_validator_test.go, v1.31.0).
func TestSignatureOfTheVendorsExamples(t *testing.T) {
	t.Parallel()
	const address = "https://mycompany.com/myapp.php?foo=1&bar=2"
	for want, body := range map[string]string{
		"0/KCTR6DLpKmkAf8muzZqo1nDgQ=": "CallSid=CA1234567890ABCDE&Caller=%2B12349013030&Digits=1234&From=%2B12349013030&To=%2B18005551212",
		"vOEb5UThFn24KEfnOFLQY2AE5FY=": "Digits=1234&CallSid=CA1234567890ABCDE&To=%2B18005551212&Caller=%2B14158675309&From=%2B14158675309" +
			"&ReasonConferenceEnded=test&Reason=Participant",
	} {
		form, ok := parameters(body)
		if got := signature(secret.New("12345"), address, form); !ok || got != want {
			t.Errorf("%s, %v; want %s", got, ok, want)
		}
	}
}

// The same as what the vendor's SDK takes: an address with a port, signed without it, and the other way round.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a.example/b?c=d":       "https://a.example/b?c=d https://a.example:443/b?c=d",
		"http://a.example":              "http://a.example http://a.example:80",
		"https://a.example:8443/a:8443": "https://a.example:8443/a:8443 https://a.example/a:8443",
		"https://[::1]:8443/":           "https://[::1]:8443/ https://[::1]/",
		"/b":                            "",
		"https://a.example/%zz":         "",
	} {
		if got := strings.Join(spellings(address), " "); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	for body, good := range map[string]bool{
		"a=b&c=": true, "a=b%3Dc&d=%2B1": true, "a=b&a=b": false, "a=b&%61=c": false, "a": false, "": false, "a=b&": false, "a=%zz": false,
	} {
		if form, ok := parameters(body); ok != good {
			t.Errorf("%s: %v, %v", body, form, ok)
		}
	}
}
