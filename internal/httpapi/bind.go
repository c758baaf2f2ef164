package httpapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"
)

// maxBody is the largest request body, in bytes. The largest honest one is
// below 1 KiB.
const maxBody = 16 << 10

var (
	errBodyTooLarge = errors.New("httpapi: body too large")
	errMediaType    = errors.New("httpapi: not application/json in UTF-8")
)

// strict refuses names that the target does not have; duplicate names, names in another case and
// invalid UTF-8 are refused by default.
var strict = json.JoinOptions(json.RejectUnknownMembers(true))

// binder is echo's: it reads a body, never a query or a path. A body that is not what the target
// asks for is a [*bindError] with every fault at once.
type binder struct{}

// Bind implements [echo.Binder].
func (binder) Bind(target any, c echo.Context) error {
	if err := checkMediaType(c.Request().Header); err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	return decode(body, target, c.Validate)
}

// decode fills target from body and validates it. The decoder stops at the first fault; diagnose
// then finds the others, so that honest requests pay nothing for it.
func decode(body []byte, target any, validate func(any) error) error {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(trimmed) == 0:
		return &bindError{[]fault{atPointer("", codeRequired)}}
	case trimmed[0] != '{':
		return &bindError{[]fault{atPointer("", wholeBodyCode(body))}}
	}
	if err := json.Unmarshal(body, target, strict); err != nil {
		return diagnose(body, target, validate)
	}
	return validate(target)
}

// wholeBodyCode tells a body of another type from one that is no JSON.
func wholeBodyCode(body []byte) string {
	d := newDiagnosis(body)
	if d.skip(0) && d.atEnd() {
		return codeInvalidType
	}
	return codeInvalid
}

func checkMediaType(h http.Header) error {
	if isEncoded(h) {
		return errMediaType
	}
	raw := h.Get(echo.HeaderContentType)
	if raw == echo.MIMEApplicationJSON {
		return nil
	}
	media, params, err := mime.ParseMediaType(raw)
	if err != nil || media != echo.MIMEApplicationJSON {
		return errMediaType
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return errMediaType
	}
	return nil
}

// isEncoded says whether a body is compressed, or otherwise not as its media type says (RFC 9110, section 8.4).
func isEncoded(h http.Header) bool {
	encoding := h.Get(echo.HeaderContentEncoding)
	return encoding != "" && !strings.EqualFold(encoding, "identity")
}

func readBody(c echo.Context) ([]byte, error) { return readUpTo(c, maxBody) }

// readUpTo reads a body of at most so many bytes.
func readUpTo(c echo.Context, most int64) ([]byte, error) {
	r := c.Request()
	if r.ContentLength > most {
		return nil, errBodyTooLarge
	}
	body, err := readAll(upTo(c, most), r.ContentLength)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, errBodyTooLarge
	}
	if err != nil {
		return nil, &bindError{[]fault{atPointer("", codeInvalid)}} // cut off, or too slow
	}
	return body, nil
}

// upTo is a request's body. Where its length is said, net/http gives no more, and one that says too much was refused.
func upTo(c echo.Context, most int64) io.Reader {
	r := c.Request()
	if r.ContentLength >= 0 {
		return r.Body
	}
	return http.MaxBytesReader(c.Response().Writer, r.Body, most) // not echo's writer: this one it can ask to close the connection
}

// readAll reads r, in one piece where length says how long it is. Of a long one that is only said: room is made as it comes, so that
// who announces much and sends nothing takes none.
func readAll(r io.Reader, length int64) ([]byte, error) {
	if length < 0 || length > maxBody {
		return io.ReadAll(r) // what net/http gives ends in an error where it is shorter than was said
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r, body)
	return body, err
}
