package main

import (
	"encoding/json"
	"io"
)

// indented writes v as JSON for people and programs. Characters of HTML stay as they are: nobody puts it into a page.
func indented(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
