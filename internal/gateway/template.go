package gateway

import "smsd/internal/secret"

// Template is a message by a text that a carrier has approved and keeps: it is sent the template's code and what to put
// into it. The zero Template is none.
type Template struct {
	// Sign is the carrier's signature, as 示例科技, without brackets; may be empty.
	Sign string
	// Code is the carrier's id of the template.
	Code string
	// Params are what is put in, in the template's order: some carriers take them by name, others by place.
	Params []Param
}

// Param is one value of a template.
type Param struct {
	Name  string
	Value secret.Text // it may be the code
}

// IsZero reports whether there is no template.
func (t Template) IsZero() bool { return t.Code == "" }
