package testserver

import (
	"crypto/tls"
	"testing"
)

// A server shows a certificate for its address, which its authority has signed and no other.
func TestTLS(t *testing.T) {
	t.Parallel()
	authority := NewAuthority(t)
	s := Redis(t, authority.TLS())
	conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: authority.Pool()})
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	if conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: NewAuthority(t).Pool()}); err == nil {
		_ = conn.Close()
		t.Error("another authority's word is taken")
	}
}
