package vonage

import (
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// An authentication returns the header's value for the call with the message of that id.
type authentication func(id string, now time.Time) (string, error)

// lifetime is how long a JWT is good for. One call needs seconds; the rest is for clocks that are not the vendor's. It is
// what the vendor gives one that names no end (developer.vonage.com/concepts/guides/authentication, November 2026).
const lifetime = 15 * time.Minute

// minKey is the size in bytes of the keys that the vendor makes: 2,048 bits.
const minKey = 256

// authentication returns the one that the settings are for, and adds what is wrong with them to f.
func (c Config) authentication(f carrier.Faults) authentication {
	application := !c.ApplicationID.IsZero() || !c.PrivateKey.IsZero()
	account := !c.APIKey.IsZero() || !c.APISecret.IsZero()
	switch {
	case application && account:
		f["api_key"] = "must not be given beside an application: one of them authenticates"
	case application:
		return c.application(f)
	case c.APIKey.IsZero() && c.APISecret.IsZero():
		f["application_id"] = "must be given with private_key, or api_key and api_secret without them"
	case c.APIKey.IsZero():
		f["api_key"] = "must be given beside api_secret"
	case c.APISecret.IsZero():
		f["api_secret"] = "must be given beside api_key"
	}
	return basic(c.APIKey, c.APISecret)
}

// basic is RFC 7617.
func basic(key, hidden secret.Text) authentication {
	return func(string, time.Time) (string, error) {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(key.Reveal()+":"+hidden.Reveal())), nil
	}
}

// application reads the key of an application.
func (c Config) application(f carrier.Faults) authentication {
	if c.ApplicationID.IsZero() {
		f["application_id"] = "must be given beside private_key"
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(c.PrivateKey.Reveal()))
	if err != nil || key.Size() < minKey { // the error's text may hold a part of it
		f["private_key"] = "must be the application's RSA key of at least 2048 bits in PEM, as the file that the vendor made"
	}
	return signed(c.ApplicationID, key)
}

// signed is a JWT for each call: RS256, with the claims that the vendor wants. The message's id is the token's, which differs
// between messages.
func signed(application secret.Text, key *rsa.PrivateKey) authentication {
	return func(id string, now time.Time) (string, error) {
		token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
			"application_id": application.Reveal(), "jti": id, "iat": now.Unix(), "exp": now.Add(lifetime).Unix(),
		}).SignedString(key)
		if err != nil {
			return "", &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the private key can't sign")}
		}
		return "Bearer " + token, nil
	}
}
