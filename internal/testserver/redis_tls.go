package testserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority signs certificates of servers, for one test.
type Authority struct {
	t   testing.TB
	dir string
	key *ecdsa.PrivateKey
	own *x509.Certificate
}

// NewAuthority makes one that nobody trusts yet.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{t: t, dir: tempFolder(t)}
	a.key = a.newKey()
	a.own = template("testserver's authority")
	a.own.IsCA, a.own.KeyUsage = true, x509.KeyUsageCertSign
	a.write(a.File(), "CERTIFICATE", a.sign(a.own, a.own, a.key))
	return a
}

// File returns the path of the authority's own certificate, as SSL_CERT_FILE takes it.
func (a *Authority) File() string { return filepath.Join(a.dir, "ca.pem") }

// Pool returns it as Go's TLS takes it.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.own)
	return pool
}

// TLS makes a server speak TLS alone on its port, and on a free one if it has none, with a certificate for the
// loopback address.
func (a *Authority) TLS() RedisOption {
	return func(s *redisSettings) {
		a.t.Helper()
		if s.port == 0 {
			Port(a.t)(s)
		}
		certificate, key := a.issue(fmt.Sprint(s.port))
		s.tls = true
		s.lines = append(s.lines, "port 0", fmt.Sprintf("tls-port %d", s.port),
			"tls-cert-file "+certificate, "tls-key-file "+key, "tls-ca-cert-file "+a.File(),
			"tls-auth-clients no", "tls-replication yes", "tls-cluster yes")
	}
}

// issue makes a certificate for the loopback address, and returns the paths of it and of its key.
func (a *Authority) issue(name string) (certificate, key string) {
	a.t.Helper()
	pair := a.newKey()
	c := template(name)
	c.IPAddresses = []net.IP{net.ParseIP(loopback)}
	c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	der, err := x509.MarshalECPrivateKey(pair)
	if err != nil {
		a.t.Fatal(err)
	}
	certificate, key = filepath.Join(a.dir, name+".pem"), filepath.Join(a.dir, name+".key")
	a.write(certificate, "CERTIFICATE", a.sign(c, a.own, pair))
	a.write(key, "EC PRIVATE KEY", der)
	return certificate, key
}

func (a *Authority) newKey() *ecdsa.PrivateKey {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	return key
}

// template is what all certificates have in common. They hold from a day ago for a day, whatever the machine's zone.
func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62))
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
}

// sign returns c, for whoever has key, signed by the authority as parent.
func (a *Authority) sign(c, parent *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	if c == a.own {
		if a.own, err = x509.ParseCertificate(der); err != nil {
			a.t.Fatal(err)
		}
	}
	return der
}

func (a *Authority) write(path, kind string, der []byte) {
	a.t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}
