package aws

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"

	"smsd/internal/gateway/carrier"
)

// wire is the HTTP of one call: the SDK makes and signs the request and reads the answer, and package carrier sends it, which knows
// what may have left. It serves one call, in one goroutine, and sends once.
type wire struct {
	client *carrier.Client
	used   bool
	url    string
	answer carrier.Answer // without its body, which the SDK has
	err    error          // a *gateway.Error
}

// carry makes a call go over w.
func (w *wire) carry(o *sms.Options) { o.HTTPClient = w }

var errOnce = errors.New("a message is sent once")

// Do implements the SDK's HTTPClient.
func (w *wire) Do(r *http.Request) (*http.Response, error) {
	if w.used {
		return nil, errOnce
	}
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	w.used, w.url = true, r.URL.String()
	answer, err := w.client.Do(r.Context(), carrier.Request{Method: r.Method, URL: r.URL.String(), Header: r.Header, Body: body})
	if err != nil {
		w.err = err
		return nil, err
	}
	w.answer = carrier.Answer{Status: answer.Status, Header: answer.Header}
	return &http.Response{
		Status: http.StatusText(answer.Status), StatusCode: answer.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: answer.Header, Body: io.NopCloser(bytes.NewReader(answer.Body)), ContentLength: int64(len(answer.Body)), Request: r,
	}, nil
}
