package sqlstore_test

import (
	"crypto/tls"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/store/sqlstore"
)

// tlsFront is all of a PostgreSQL server that a connection comes to before its certificate is looked at: it answers the request
// for TLS, with a certificate for 127.0.0.1 if it has one, and hangs up. It returns where it is.
func tlsFront(t *testing.T, c *tls.Config) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go greet(conn, c)
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

func greet(conn net.Conn, c *tls.Config) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, 8)); err != nil {
		return
	}
	if c == nil {
		_, _ = conn.Write([]byte("N"))
		return
	}
	_, _ = conn.Write([]byte("S"))
	_ = tls.Server(conn, c).Handshake()
}

// A certificate that is not trusted, or TLS that is not there, is told as what waiting does not mend, with what to do.
func TestACertificateThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	signed := httptest.NewTLSServer(nil)
	t.Cleanup(signed.Close)
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	speaks, mute := tlsFront(t, signed.TLS), tlsFront(t, nil)
	for name, c := range map[string]struct {
		at     string
		passes bool
		says   string
	}{
		"its authority":     {"127.0.0.1:" + speaks + "/smsd?sslmode=verify-full&sslrootcert=" + authority, true, ""},
		"another authority": {"127.0.0.1:" + speaks + "/smsd?sslmode=verify-full", false, "certificate is not trusted: the file of sslrootcert"},
		"by the authority":  {"127.0.0.1:" + speaks + "/smsd?sslmode=verify-ca", false, "certificate is not trusted"},
		"another host":      {"localhost:" + speaks + "/smsd?sslmode=verify-full&sslrootcert=" + authority, false, "it must name the URL's host"},
		"one of two away":   {"127.0.0.1:" + speaks + ",127.0.0.1:1/smsd?sslmode=verify-full", true, "127.0.0.1:1"},
		"no TLS":            {"127.0.0.1:" + mute + "/smsd?sslmode=require", false, "turn ssl on there"},
	} {
		err := unopened(t, postgresOptions("postgres://smsd:hunter2@"+c.at)).Open(t.Context())
		if err == nil || errors.Is(err, sqlstore.ErrUnavailable) != c.passes || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: the password or a line's end is in %v", name, err)
		}
	}
}
