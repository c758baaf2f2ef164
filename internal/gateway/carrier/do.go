package carrier

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"smsd/internal/gateway"
)

// Request is one call.
type Request struct {
	// Method is GET or POST; empty: POST. A GET has no Body.
	Method string
	// URL is the whole address, query and all.
	URL string
	// Header may be nil; Do does not change it. A User-Agent is added if it has none.
	Header http.Header
	Body   []byte
}

// Do sends r once and returns the answer, of status 2xx, 4xx, 5xx or above. Every error is a [*gateway.Error], to be
// returned as it is; see the package's comment for which it is. ctx's deadline bounds all of it, the reading of
// the answer included.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, maxCall)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return Answer{}, notSent(err)
	}
	var left atomic.Bool
	request, err := r.build(httptrace.WithClientTrace(ctx, watch(&left)))
	if err != nil {
		return Answer{}, err
	}
	response, err := c.http.Do(request)
	switch {
	case err != nil && left.Load():
		return Answer{}, ambiguous(err)
	case err != nil:
		return Answer{}, notSent(err)
	}
	defer response.Body.Close()
	return read(response)
}

// watch sets left while bytes of the request may have left. That is from the moment when it is given a connection;
// if it is given another one, the transport knows that on the first not a byte was written (see build).
func watch(left *atomic.Bool) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { left.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { left.Store(true) },
	}
}

// build makes r a request that the transport does not repeat once a byte of it was written. By itself it repeats a GET,
// and whatever has an Idempotency-Key, unless it has a body that can't be had again.
func (r Request) build(ctx context.Context) (*http.Request, error) {
	method := http.MethodPost
	if r.Method != "" {
		method = r.Method
	}
	request, err := http.NewRequestWithContext(ctx, method, r.URL, bytes.NewReader(r.Body))
	if err != nil || request.URL.Host == "" {
		return nil, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the URL or the method is none")}
	}
	if r.Header != nil {
		request.Header = r.Header.Clone()
	}
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", "smsd")
	}
	if method != http.MethodPost || keyed(request.Header) {
		request.Body, request.GetBody = io.NopCloser(bytes.NewReader(r.Body)), nil
	}
	return request, nil
}

func keyed(h http.Header) bool {
	return h.Values("Idempotency-Key") != nil || h.Values("X-Idempotency-Key") != nil
}

// read returns the whole answer. What follows a 101 is not HTTP, may have no end, and does not end with the context.
func read(response *http.Response) (Answer, error) {
	a := Answer{Status: response.StatusCode, Header: response.Header}
	switch a.Status / 100 {
	case 1:
		return Answer{}, a.Unclear("the other side wants another protocol")
	case 3:
		return Answer{}, a.redirected()
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswer+1))
	switch {
	case err != nil:
		return Answer{}, ambiguous(err)
	case len(body) > MaxAnswer:
		return Answer{}, a.Unclear("the answer has more than 64 KiB")
	}
	a.Body = body
	return a, nil
}

func (a Answer) redirected() error {
	if a.Status == http.StatusTemporaryRedirect || a.Status == http.StatusPermanentRedirect {
		return &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent,
			Err: errors.New("the URL has moved: it answers " + status(a.Status) + ", and redirects are not followed")}
	}
	return a.Unclear("a redirect, which is not followed")
}
