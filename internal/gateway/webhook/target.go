package webhook

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"smsd/internal/gateway/carrier"
)

// maxURL is what servers in wide use take (nginx, large_client_header_buffers: 8 KiB), and far above what people write.
const maxURL = 2048

// judge says which networks a URL may lead to, or why it is none to call. Its errors do not hold the URL.
func judge(text string, allowPrivate bool) (carrier.Networks, error) {
	if text == "" {
		return 0, errors.New("must be given: the URL that messages are posted to")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "" || len(text) > maxURL:
		return 0, errors.New("must be a URL, as https://sms.example.com/messages")
	case u.User != nil:
		return 0, errors.New("must hold no user and no password: the signature is what proves who calls")
	case u.Fragment != "":
		return 0, errors.New("must have no part behind a #")
	}
	networks, err := reach(u.Scheme, allowPrivate)
	if err == nil && leadsAway(u.Hostname(), networks) {
		err = errors.New("leads to an address that must not be reached; if the receiver is in your own network, set allow_private: true")
	}
	return networks, err
}

// reach says which networks a scheme may lead to.
func reach(scheme string, allowPrivate bool) (carrier.Networks, error) {
	switch {
	case scheme == "https" && allowPrivate:
		return carrier.PrivateToo, nil
	case scheme == "https":
		return carrier.PublicOnly, nil
	case scheme == "http" && allowPrivate:
		return carrier.PrivateOnly, nil
	case scheme == "http":
		return 0, errors.New("must be https, since it carries codes; http is for a receiver in your own network, with allow_private: true")
	}
	return 0, errors.New("must begin with https://")
}

// leadsAway tells at the start what a call would come to, as far as the host tells without resolving it.
func leadsAway(host string, networks carrier.Networks) bool {
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	a, err := netip.ParseAddr(host)
	return err == nil && !networks.Allow(a)
}
