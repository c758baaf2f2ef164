package httpapi

import (
	"maps"
	"slices"

	"github.com/labstack/echo/v4"

	"smsd/internal/sms"
)

// tryPage is what the try-it page shows beside its form.
type tryPage struct {
	Scenes   []string
	InboxURL string
}

// tryIt answers GET / in the profile dev: a page that sends and verifies.
func (s *public) tryIt(c echo.Context) error {
	scenes := slices.Sorted(maps.Keys(s.Policy().For(sms.DefaultApp).Scenes))
	return s.pages.show(c, "try", tryPage{Scenes: scenes, InboxURL: s.InboxURL})
}
