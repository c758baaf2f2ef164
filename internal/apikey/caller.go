package apikey

import "slices"

// Caller is who sent a request, by its key. The zero Caller has no key and no app.
type Caller struct {
	App   string
	KeyID string // Record.ID; "" without a key
	Kind  Kind   // "" without a key
	// origins are a Publishable's; nobody writes to them.
	origins []string
}

// OfPages reports whether the key is for web pages: it names the origins of those that may use it.
func (c Caller) OfPages() bool { return len(c.origins) > 0 }

// Allows reports whether a page of origin may use the key: scheme, host and port must be those that it names.
func (c Caller) Allows(origin string) bool { return slices.Contains(c.origins, origin) }
