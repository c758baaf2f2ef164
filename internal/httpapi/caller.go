package httpapi

import (
	"net/netip"

	"github.com/labstack/echo/v4"

	"smsd/internal/address"
	"smsd/internal/apikey"
)

// asked is where a request came from.
type asked struct {
	api    *public
	c      echo.Context
	caller apikey.Caller
	// client is whom limits count.
	client address.Addr
}

// from finds the client: what a server states of it, or else the address that the request came from.
// Whoever else states one could be anybody each time.
func (a *asked) from(stated string) (err error) {
	switch {
	case stated == "":
		a.client = a.api.clients.of(a.c.Request())
	case a.caller.Kind != apikey.Secret:
		return &bindError{[]fault{atPointer("/client_ip", codeNotAllowed)}}
	default:
		a.client, err = statedClient(stated)
	}
	return err
}

func statedClient(text string) (address.Addr, error) {
	ip, err := netip.ParseAddr(text)
	if err != nil || ip.Zone() != "" || ip.IsUnspecified() || ip.IsMulticast() {
		return address.Addr{}, &bindError{[]fault{atPointer("/client_ip", codeInvalid)}}
	}
	return address.From(ip), nil
}
