package httpapi

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json"
)

// encode is d as JSON. Refusals come by the thousand, and most of their text is the same each time: that is encoded once for each row.
func (d *document) encode() ([]byte, error) {
	if !d.isPlain() {
		return json.Marshal(d)
	}
	const room = len(`","retry_after":}`) + 20 // digits of an int64
	body := make([]byte, 0, len(d.row.start)+len(d.RequestID)+room)
	body = append(append(append(body, d.row.start...), d.RequestID...), '"') // an id has nothing to escape
	if d.RetryAfter > 0 {
		body = strconv.AppendInt(append(body, `,"retry_after":`...), d.RetryAfter, 10)
	}
	return append(body, '}'), nil
}

// isPlain reports whether d says no more than its row, the request's id and how long to wait.
func (d *document) isPlain() bool {
	return d.row.start != nil && d.Detail == d.row.detail && d.AttemptsLeft == nil && len(d.Errors) == 0 && len(d.Checks) == 0
}

// startOf is how the documents of a row start, up to the request's id; nil if they can't be encoded.
func startOf(p *problem) []byte {
	whole, err := json.Marshal(p.plain(""))
	start, cut := bytes.CutSuffix(whole, []byte(`"}`))
	if err != nil || !cut {
		return nil
	}
	return start
}
