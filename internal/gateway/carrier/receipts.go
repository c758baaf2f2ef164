package carrier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// How long a secret that stands in a path may be. It is all that tells a carrier which signs nothing from anybody else; 16
// characters drawn at random are out of reach of guessing over a network.
const minPathSecret, maxPathSecret = 16, 128

// unreserved are the characters that stand in a URL as they are (RFC 3986, section 2.3).
const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// PathSecretFault says what a secret that stands in the path of receipts must be; "" if it is that, or is left out.
func PathSecretFault(s secret.Text) string {
	text := s.Reveal()
	if s.IsZero() || len(text) >= minPathSecret && len(text) <= maxPathSecret && strings.Trim(text, unreserved) == "" {
		return ""
	}
	return "must be 16 to 128 letters, digits, - . _ or ~, since it is a part of an address: openssl rand -hex 16 makes one"
}

// FromPath sees that p comes from whoever knows s. Without s nobody does.
func FromPath(p gateway.Post, s secret.Text) error {
	switch {
	case s.IsZero():
		return fmt.Errorf("%w: the gateway has no receipt_secret, so nobody can be told from it", gateway.ErrForged)
	case !s.Equal(p.Secret):
		return fmt.Errorf("%w: the secret in the path is not receipt_secret", gateway.ErrForged)
	}
	return nil
}

// Reports reads a JSON array of T. Each element is read alone, and what is no T is left out, so that one of them does not
// keep the others from being heard. Where none can be read, or what came is no array, it is [gateway.ErrUnreadable].
func Reports[T any](body []byte) ([]T, error) {
	var elements []json.RawMessage
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) || json.Unmarshal(body, &elements) != nil {
		return nil, gateway.ErrUnreadable
	}
	reports := make([]T, 0, min(len(elements), 128))
	for _, element := range elements {
		var report T
		if bytes.HasPrefix(element, []byte("{")) && json.Unmarshal(element, &report) == nil {
			reports = append(reports, report)
		}
	}
	if len(reports) == 0 && len(elements) > 0 {
		return nil, gateway.ErrUnreadable
	}
	return reports, nil
}

// Scalar is a JSON string or number, as it is written, and "" for null: carriers say one and send the other.
type Scalar string

// UnmarshalJSON reads a string, a number or null.
func (s *Scalar) UnmarshalJSON(raw []byte) error {
	var number json.Number
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(s))
	}
	if err := json.Unmarshal(raw, &number); err != nil {
		return err
	}
	*s = Scalar(number)
	return nil
}

// Count returns how many parts a scalar says that there were; 0 for anything but 1 to 255, which is what a long message can have
// (3GPP TS 23.040, section 9.2.3.24.1).
func (s Scalar) Count() int {
	n, err := strconv.ParseUint(string(s), 10, 8)
	if err != nil {
		return 0
	}
	return int(n)
}

// maxID is that of [gateway.Accepted].ProviderID.
const maxID = 256

// ID returns a carrier's id of a message, or nothing where it can be none: what is longer than any that was ever accepted matches none.
func ID(text string) string {
	if len(text) > maxID {
		return ""
	}
	return text
}

// china is the clock of the Chinese mainland, which has had no other since 1991.
var china = time.FixedZone("UTC+8", 8*60*60)

// ChinaTime reads a time like 2017-01-01 00:00:00 by the clock of the Chinese mainland; zero if it is none.
func ChinaTime(text string) time.Time {
	at, err := time.ParseInLocation(time.DateTime, text, china)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
