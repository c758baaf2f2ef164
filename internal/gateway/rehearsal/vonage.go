package rehearsal

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net/http"

	"smsd/internal/gateway"
	"smsd/internal/gateway/vonage"
	"smsd/internal/gateway/vonage/vonagefake"
	"smsd/internal/secret"
)

var vonageSays = map[gateway.Reason]vonagefake.Refusal{
	gateway.BadNumber: {Status: http.StatusUnprocessableEntity, Code: "110", Title: "Invalid recipient"},
	gateway.Throttled: {Status: http.StatusTooManyRequests, Code: "1241", Title: "Too many send requests"},
	gateway.Temporary: {Status: http.StatusTooManyRequests, Code: "1000", Title: "Throttled"},
}

func newVonage() (vendor, error) {
	application := secret.New("00000000-0000-4000-8000-000000000001")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return vendor{}, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return vendor{}, err
	}
	private := secret.New(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	fake := &vonagefake.Fake{ApplicationID: application, PublicKey: &key.PublicKey}
	return vendor{
		open: func(url string) (gateway.Driver, error) {
			return vonage.Open(vonage.Config{ApplicationID: application, PrivateKey: private, From: "Rehearsal", Endpoint: url})
		},
		carrier: func(decide func() gateway.Reason) http.Handler {
			return fake.With(func(vonagefake.Message) vonagefake.Refusal { return vonageSays[decide()] })
		},
	}, nil
}
