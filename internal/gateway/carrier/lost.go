package carrier

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"smsd/internal/gateway"
)

// notSent is a call that ended before there was a connection.
func notSent(err error) error {
	reason := gateway.Temporary
	if errors.Is(err, errForbidden) {
		reason = gateway.Configuration
	}
	return &gateway.Error{Reason: reason, Sent: gateway.NotSent, Err: errors.New("no connection: " + describe(err))}
}

// ambiguous is a call of which some bytes may have left.
func ambiguous(err error) error {
	return &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: errors.New("no whole answer: " + describe(err))}
}

var errProxy = errors.New("the proxy refuses to connect")

// describe says what err is about in words of our own: the errors of net/http print the URL, those of net and of
// crypto/x509 the host, and what can't be parsed is quoted.
func describe(err error) string {
	for _, known := range descriptions {
		if text := known(err); text != "" {
			return text
		}
	}
	return "failed"
}

// descriptions are in the order in which they are asked: the more exact first.
var descriptions = []func(error) string{
	func(err error) string { return when(errors.Is(err, errForbidden), errForbidden.Error()) },
	func(err error) string { return when(errors.Is(err, errProxy), errProxy.Error()) },
	func(err error) string { return when(errors.Is(err, context.Canceled), "the call was cancelled") },
	describeTLS,
	describeName,
	func(err error) string {
		return when(errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded), "out of time")
	},
	describeSystem,
	func(err error) string { return when(isTimeout(err), "out of time") },
	func(err error) string {
		return when(errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF), "the other side hung up")
	},
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	return ok && timeout.Timeout()
}

// describeSystem tells the system's error, as "connection refused"; its texts are a closed list.
func describeSystem(err error) string {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number.Error()
	}
	return ""
}

func describeName(err error) string {
	name, ok := errors.AsType[*net.DNSError](err)
	switch {
	case !ok:
		return ""
	case name.IsNotFound:
		return "there is no such host"
	case name.IsTimeout:
		return "the name server is out of reach"
	}
	return "the host's name could not be resolved"
}

func describeTLS(err error) string {
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &host):
		return "TLS: the certificate is for another host"
	case errors.As(err, &unknown):
		return "TLS: the certificate is by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "TLS: the certificate has expired or is not valid yet"
	case errors.As(err, &invalid):
		return "TLS: the certificate is not valid"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "TLS: the other side does not speak it"
	case errors.As(err, &alert):
		return "TLS: the other side refused (" + alert.Error() + ")" // a closed list as well
	}
	return ""
}
