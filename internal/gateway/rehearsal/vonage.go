package rehearsal

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"time"

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

// vonageTells are the codes of a message that was taken and did not arrive.
var vonageTells = map[gateway.Reason]string{
	gateway.BadNumber:     "1190",
	gateway.Throttled:     "1461",
	gateway.Configuration: "1480",
	gateway.NoRoute:       "1251",
	gateway.Temporary:     "1230",
	gateway.Ambiguous:     "1330",
	gateway.Content:       "1210",
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
	by := vonagefake.Signer{Secret: password(), ApplicationID: application.Reveal()}
	fake := &vonagefake.Fake{ApplicationID: application, PublicKey: &key.PublicKey}
	return vendor{
		open: func(url string) (driver, error) {
			return vonage.Open(vonage.Config{
				ApplicationID: application, PrivateKey: private, From: "Rehearsal", SignatureSecret: by.Secret, ReceiptsURL: receiptsURL, Endpoint: url,
			})
		},
		carrier: func(decide func(call) gateway.Reason) http.Handler {
			return fake.With(func(m vonagefake.Message) vonagefake.Refusal { return vonageSays[decide(vonageReports(m, by))] })
		},
	}, nil
}

// vonageReports is how the vendor reports on m, where it was told to, signed when it does.
func vonageReports(m vonagefake.Message, by vonagefake.Signer) call {
	return func(said gateway.Receipt) *http.Request {
		return vonagefake.NewReceipt(m.WebhookURL, by, vonagefake.Report{
			ID: m.ID, ClientRef: m.ClientRef, To: m.To, From: m.From, Status: vonageStatus(said), Code: word(vonageTells, said),
			Parts: said.Segments, At: said.At, SignedAt: time.Now(),
		})
	}
}

func vonageStatus(said gateway.Receipt) string {
	if said.State == gateway.Undelivered {
		return "undeliverable"
	}
	return string(said.State)
}
