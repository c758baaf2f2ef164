package httpapi

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"
)

// answers writes those that are most of what there is to write: of each send and each verify. The memory in which one is encoded
// serves for the next, where [encode] makes a copy of its own. The zero value works. Safe for concurrent use.
type answers struct{ written sync.Pool } // of *bytes.Buffer

// write writes v as JSON.
func (a *answers) write(c echo.Context, status int, v any) error {
	body, again := a.written.Get().(*bytes.Buffer)
	if !again {
		body = &bytes.Buffer{}
	}
	defer a.written.Put(body)
	body.Reset()
	if err := json.MarshalWrite(body, v); err != nil {
		return err
	}
	return blob(c, status, asJSON, body.Bytes()) // net/http keeps nothing of it
}
