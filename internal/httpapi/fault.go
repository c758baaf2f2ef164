package httpapi

import "slices"

// What may be wrong with a field, in the words that programs compare with: none ever changes.
const (
	codeRequired    = "required"
	codeInvalidType = "invalid_type"
	codeUnknown     = "unknown"
	codeDuplicate   = "duplicate"
	codeTooLong     = "too_long"
	codeInvalid     = "invalid"
	codeNotAllowed  = "not_allowed" // for this caller
)

// fault is one thing wrong with a request. It names a place and never holds the value.
type fault struct {
	// Pointer is a JSON pointer (RFC 6901) into the body; "" is the body as a whole. Nil with Parameter.
	Pointer *string `json:"pointer,omitzero"`
	// Parameter is the name of a query parameter.
	Parameter string `json:"parameter,omitzero"`
	// Header is the name of a header field.
	Header string `json:"header,omitzero"`
	Code   string `json:"code"`
	// Known is all that there may be, where that is a list.
	Known []string `json:"known,omitempty"`
}

func atPointer(pointer, code string) fault { return fault{Pointer: &pointer, Code: code} }

func atParameter(name, code string) fault { return fault{Parameter: name, Code: code} }

func atHeader(name, code string) fault { return fault{Header: name, Code: code} }

// place is the same for two faults of one field.
func (f fault) place() string {
	if f.Pointer == nil {
		return "?" + f.Parameter + ":" + f.Header
	}
	return *f.Pointer
}

// bindError is a request that is not what the handler asks for.
type bindError struct{ faults []fault }

func (e *bindError) Error() string { return "httpapi: request not as documented" }

// maxFaults bounds an answer: a body of 16 KiB has room for thousands of unknown names.
const maxFaults = 16

// add appends f unless its place has a fault already: the first one is the cause of the others.
func (e *bindError) add(f fault) {
	same := func(have fault) bool { return have.place() == f.place() }
	if len(e.faults) < maxFaults && !slices.ContainsFunc(e.faults, same) {
		e.faults = append(e.faults, f)
	}
}

// isWhole reports whether the body as a whole is at fault, and no field can be named.
func (e *bindError) isWhole() bool {
	return len(e.faults) == 1 && e.faults[0].Pointer != nil && *e.faults[0].Pointer == ""
}
