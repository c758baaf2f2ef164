package rehearsal

import (
	"crypto/rand"
	"maps"
	"net/http"
	"slices"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// A vendor is one account, with credentials that are made up.
type vendor struct {
	// open returns the vendor's driver for its API at url.
	open func(url string) (driver, error)
	// carrier returns the vendor's fake. It asks decide, once it has seen that the request is right, whether it takes the message (""), or
	// for which reason it does not. later is how it reports on the message; nil: nobody can play that.
	carrier func(decide func(later call) gateway.Reason) http.Handler
}

// driver is what each vendor's is.
type driver interface {
	gateway.Driver
	gateway.ReceiptReader
}

// vendors lists them. To add one: a file beside this one, a line here, and one in app/gateways.go.
var vendors = map[string]func() (vendor, error){
	"aliyun":  newAliyun,
	"aws":     newAWS,
	"tencent": newTencent,
	"twilio":  newTwilio,
	"vonage":  newVonage,
}

// Vendors returns the names that [New] knows, sorted.
func Vendors() []string { return slices.Sorted(maps.Keys(vendors)) }

// password returns one that nobody else knows.
func password() secret.Text { return secret.New(rand.Text()) }
