package carrier

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"smsd/internal/gateway"
)

// Reports reads a JSON array of T, and returns what receipt makes of each; false: T is about no message, or says nothing of it.
// Each element is read alone, and what is no T is left out, so that one of them does not keep the others from being heard. Where
// none is a T, or what came is no array, it is [gateway.ErrUnreadable].
func Reports[T any](body []byte, receipt func(T) (gateway.Receipt, bool)) ([]gateway.Receipt, error) {
	var elements []json.RawMessage
	if !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) || json.Unmarshal(body, &elements) != nil {
		return nil, gateway.ErrUnreadable
	}
	readable, receipts := 0, []gateway.Receipt{}
	for _, element := range elements {
		var report T
		if !bytes.HasPrefix(element, []byte("{")) || json.Unmarshal(element, &report) != nil {
			continue
		}
		readable++
		if r, ok := receipt(report); ok {
			receipts = append(receipts, r)
		}
	}
	if readable == 0 && len(elements) > 0 {
		return nil, gateway.ErrUnreadable
	}
	return receipts, nil
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

// Count returns how many segments a scalar says that there were; 0 for anything but 1 to 255, which is what a long message can have
// (3GPP TS 23.040, section 9.2.3.24.1).
func (s Scalar) Count() int {
	n, err := strconv.ParseUint(string(s), 10, 8)
	if err != nil {
		return 0
	}
	return int(n)
}

// ID returns a carrier's id of a message, or nothing where it can be none: what is longer than any that was ever accepted matches none.
func ID(text string) string {
	if len(text) > gateway.MaxProviderID {
		return ""
	}
	return text
}

// china is the clock of the Chinese mainland, which has had no other since 1991.
var china = time.FixedZone("UTC+8", 8*60*60)

// InChina returns an instant by the clock of the Chinese mainland.
func InChina(at time.Time) time.Time { return at.In(china) }

// ChinaTime reads a time like 2017-01-01 00:00:00 by the clock of the Chinese mainland; zero if it is none.
func ChinaTime(text string) time.Time {
	at, err := time.ParseInLocation(time.DateTime, text, china)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
