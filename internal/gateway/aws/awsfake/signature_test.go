package awsfake

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// The fake computes what the vendor publishes (awslabs/aws-c-auth, tests/aws-signing-test-suite/v4: get-vanilla, post-vanilla
// and post-x-www-form-urlencoded), so that a request that it takes is signed right.
func TestPublishedSignatures(t *testing.T) {
	t.Parallel()
	const date = "Host: example.amazonaws.com\r\nX-Amz-Date: 20150830T123600Z\r\n"
	for want, c := range map[string]struct{ request, signed string }{
		"5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31": {"GET / HTTP/1.1\r\n" + date + "\r\n", "host;x-amz-date"},
		"5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b": {"POST / HTTP/1.1\r\n" + date + "\r\n", "host;x-amz-date"},
		"d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b": {"POST / HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n" + date +
			"Content-Length: 13\r\nX-Amz-Content-Sha256: 9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e\r\n\r\nParam1=value1",
			"content-length;content-type;host;x-amz-content-sha256;x-amz-date"},
	} {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(c.request)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders="+c.signed+", Signature="+want)
		a, ok := parse(r.Header.Get("Authorization"))
		if got := sign(r, body, a, "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"); !ok || got != want || a.signature != want || !complete(r.Header, a.signed) {
			t.Errorf("%s: %v, %s", want, ok, got)
		}
	}
}

// A header that matters and is not signed, and names out of order, are no signature.
func TestWhatMustBeSigned(t *testing.T) {
	t.Parallel()
	header := http.Header{"X-Amz-Date": {"x"}, "X-Amz-Target": {"x"}, "Accept": {"x"}}
	for signed, want := range map[string]bool{
		"host;x-amz-date;x-amz-target": true, "host;x-amz-date": false, "x-amz-date;x-amz-target": false, "x-amz-date;host;x-amz-target": false,
	} {
		if got := complete(header, strings.Split(signed, ";")); got != want {
			t.Errorf("%s: %v", signed, got)
		}
	}
}
