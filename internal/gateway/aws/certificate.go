package aws

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// keyring keeps the certificates that were fetched, by their path. SNS has one at a time, for about a year.
type keyring struct {
	mu           sync.Mutex
	certificates map[string]*x509.Certificate
}

// maxCertificates bounds them; when there are more, they begin anew.
const maxCertificates = 8

func (k *keyring) get(path string) *x509.Certificate {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.certificates[path]
}

func (k *keyring) put(path string, c *x509.Certificate) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.certificates == nil || len(k.certificates) >= maxCertificates {
		k.certificates = map[string]*x509.Certificate{}
	}
	k.certificates[path] = c
}

// certificatePath is where SNS has its certificates.
var certificatePath = regexp.MustCompile(`^/SimpleNotificationService-[A-Za-z0-9]{1,64}\.pem$`)

// key returns the key of the certificate at address, which must be one of SNS in the topic's region: that it comes from there, over TLS, is what makes
// it the vendor's.
func (t *topic) key(ctx context.Context, address string, now time.Time) (*rsa.PublicKey, error) {
	path, ours := strings.CutPrefix(address, t.home)
	if !ours || !certificatePath.MatchString(path) {
		return nil, fmt.Errorf("%w: the certificate is not one of SNS in the topic's region", gateway.ErrForged)
	}
	c := t.keys.get(path)
	if c == nil {
		var err error
		if c, err = t.fetch(ctx, path); err != nil {
			return nil, err
		}
		t.keys.put(path, c)
	}
	key, isRSA := c.PublicKey.(*rsa.PublicKey)
	if !isRSA || now.Before(c.NotBefore) || now.After(c.NotAfter) {
		return nil, fmt.Errorf("%w: the certificate is not good now", gateway.ErrForged)
	}
	return key, nil
}

func (t *topic) fetch(ctx context.Context, path string) (*x509.Certificate, error) {
	answer, err := t.client.Do(ctx, carrier.Request{Method: http.MethodGet, URL: t.base + path})
	switch {
	case err != nil, answer.Status >= http.StatusInternalServerError:
		return nil, fmt.Errorf("%w: the certificate could not be fetched now", gateway.ErrUnreadable)
	case !answer.OK():
		return nil, fmt.Errorf("%w: there is no such certificate", gateway.ErrForged)
	}
	block, _ := pem.Decode(answer.Body)
	if block == nil {
		return nil, fmt.Errorf("%w: what was fetched is no certificate", gateway.ErrForged)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil { // its text may hold anything
		return nil, fmt.Errorf("%w: what was fetched is no certificate", gateway.ErrForged)
	}
	return c, nil
}
