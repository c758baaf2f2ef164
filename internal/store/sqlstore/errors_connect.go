package sqlstore

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// What to do where waiting does not help to reach a server.
const (
	adviceLogin       = "see user and password in the URL, and whom pg_hba.conf of the server lets in"
	adviceDatabase    = "make the database (CREATE DATABASE name OWNER user), or name another one in the URL"
	adviceCertificate = "the server's certificate is not trusted: the file of sslrootcert in the URL, or else of SSL_CERT_FILE, must hold its authority's, " +
		"and for sslmode=verify-full it must name the URL's host"
	adviceNoTLS = "the server speaks no TLS: turn ssl on there, or take sslmode out of the URL where the way to it needs none"
)

// explainConnect is [explain] for a connection that was not made. The error names the host, the user and the database.
func explainConnect(e *pgconn.ConnectError) (text string, passes bool) {
	text = oneLine(e.Error())
	if advice := adviceFor(e); advice != "" {
		return text + ": " + advice, false
	}
	return text, true
}

// adviceFor says what to do where waiting does not help; "": nothing of that kind. Of several hosts one that is only away may come
// back, and be one that is trusted.
func adviceFor(err *pgconn.ConnectError) string {
	_, away := errors.AsType[net.Error](err)
	switch {
	case away && severalHosts(err.Config):
		return ""
	case untrusted(err):
		return adviceCertificate
	case strings.Contains(err.Error(), "server refused TLS connection"): // pgconn has no type for it
		return adviceNoTLS
	}
	return ""
}

// severalHosts says whether the URL names more than one; each address and kind of TLS of one is tried as well.
func severalHosts(c *pgconn.Config) bool {
	return slices.ContainsFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.Host != c.Host || f.Port != c.Port })
}

// untrusted says whether a certificate was refused: by Go's own check, or for sslmode=verify-ca by pgconn's.
func untrusted(err error) bool {
	_, checked := errors.AsType[*tls.CertificateVerificationError](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, invalid := errors.AsType[x509.CertificateInvalidError](err)
	return checked || unknown || invalid
}
