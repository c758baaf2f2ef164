package httpapi

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
)

// httpProblems are of requests that HTTP itself has words for.
func httpProblems() []*problem {
	return []*problem{
		{
			status: http.StatusNotFound, code: "not_found", title: "Nothing here",
			detail:  "See /openapi.json for what there is.",
			explain: "No resource has this path.",
			is:      echoStatus(http.StatusNotFound), example: echo.ErrNotFound,
		},
		{
			status: http.StatusMethodNotAllowed, code: "method_not_allowed", title: "Not with this method",
			detail:  "Use a method that the Allow field names.",
			explain: "The path exists, and answers to other methods only.",
			is:      echoStatus(http.StatusMethodNotAllowed), example: echo.ErrMethodNotAllowed,
		},
		{
			status: http.StatusRequestEntityTooLarge, code: "body_too_large", title: "The body is too large",
			detail:  "Send a body of at most 16 KiB; of receipts, 256 KiB with 1,000 of them.",
			explain: "Bodies may be 16 KiB long, or, of carriers with receipts, 256 KiB with 1,000 receipts; an honest one is far below that.",
			is:      sentinel(errBodyTooLarge), example: errBodyTooLarge,
		},
		{
			status: http.StatusUnsupportedMediaType, code: "unsupported_media_type", title: "Not JSON",
			detail:  "Send Content-Type: application/json, in UTF-8 and not compressed.",
			explain: "Bodies are JSON in UTF-8, and say so in Content-Type.",
			is:      sentinel(errMediaType), example: errMediaType,
		},
	}
}

func echoStatus(status int) func(error) bool {
	return func(err error) bool {
		e, ok := errors.AsType[*echo.HTTPError](err)
		return ok && e.Code == status
	}
}
