package httpapi

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth bounds the nesting of what is skipped over. Every body documented is flat.
const maxDepth = 16

// diagnose says all that is wrong with an object that does not decode into target: it reads on
// where a decoder stops. Fields that are well are filled in, so that validate can speak of the rest.
func diagnose(body []byte, target any, validate func(any) error) error {
	d := newDiagnosis(body)
	fields := reflect.ValueOf(target).Elem()
	fields.SetZero()
	if !d.object(fields) || !d.atEnd() {
		d.found.add(atPointer("", codeInvalid))
		return d.found // what was cut off can't be called missing
	}
	if more, ok := errors.AsType[*bindError](validate(target)); ok {
		for _, f := range more.faults {
			d.found.add(f)
		}
	}
	if len(d.found.faults) == 0 { // the decoder saw what we did not
		d.found.add(atPointer("", codeInvalid))
	}
	return d.found
}

// diagnosis walks one body.
type diagnosis struct {
	in    *jsontext.Decoder
	found *bindError
}

func newDiagnosis(body []byte) *diagnosis {
	in := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true))
	return &diagnosis{in: in, found: &bindError{}}
}

// object reads the members of the outermost object. It returns false where the text is no JSON, after
// noting the member in which it stopped being so.
func (d *diagnosis) object(fields reflect.Value) bool {
	if _, err := d.in.ReadToken(); err != nil {
		return false
	}
	seen := map[string]bool{}
	for d.in.PeekKind() != '}' {
		token, err := d.in.ReadToken()
		if err != nil {
			return false
		}
		name := token.String()
		if !d.member(name, fields, seen[name]) {
			return false
		}
		seen[name] = true
	}
	_, err := d.in.ReadToken()
	return err == nil
}

func (d *diagnosis) member(name string, fields reflect.Value, again bool) bool {
	field, known := fieldNamed(fields, name)
	switch {
	case again:
		d.found.add(atPointer(pointerTo(name), codeDuplicate))
	case !known:
		d.found.add(atPointer(pointerTo(name), codeUnknown))
	default:
		return d.value(name, field)
	}
	return d.skip(0)
}

// value decodes one field, or says what is wrong with it.
func (d *diagnosis) value(name string, field reflect.Value) bool {
	if kind := d.in.PeekKind(); kind != 'n' && kind != kindOf(field) {
		if !d.skip(0) {
			d.found.add(atPointer(pointerTo(name), codeInvalid))
			return false
		}
		d.found.add(atPointer(pointerTo(name), codeInvalidType))
		return true
	}
	raw, err := d.in.ReadValue()
	if err != nil {
		d.found.add(atPointer(pointerTo(name), codeInvalid))
		return false
	}
	if json.Unmarshal(raw, field.Addr().Interface()) != nil { // a number with a fraction, or out of range
		d.found.add(atPointer(pointerTo(name), codeInvalid))
	}
	return true
}

// skip reads one value at the given depth and reports whether it is JSON and not too deep.
func (d *diagnosis) skip(depth int) bool {
	kind := d.in.PeekKind()
	if _, err := d.in.ReadToken(); err != nil || depth > maxDepth {
		return false
	}
	if kind != '{' && kind != '[' {
		return kind != '}' && kind != ']'
	}
	for next := d.in.PeekKind(); next != '}' && next != ']'; next = d.in.PeekKind() {
		if !d.skip(depth + 1) {
			return false
		}
	}
	_, err := d.in.ReadToken()
	return err == nil
}

func (d *diagnosis) atEnd() bool {
	_, err := d.in.ReadToken()
	return errors.Is(err, io.EOF)
}

func fieldNamed(fields reflect.Value, name string) (reflect.Value, bool) {
	for i := range fields.NumField() {
		if jsonName(fields.Type().Field(i)) == name {
			return fields.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// jsonName is the name that a struct's field has in a body.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// kindOf is the kind of JSON that a field takes.
func kindOf(field reflect.Value) jsontext.Kind {
	if field.Kind() == reflect.String {
		return '"'
	}
	return '0'
}

// maxName is the longest name that is repeated to its sender.
const maxName = 32

// pointerTo points to a member of the body. A name that could not be a field's may be a value put in
// the wrong place, a number or a code: it is not repeated, and the fault is the body's.
func pointerTo(name string) string {
	if name == "" || len(name) > maxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return ""
	}
	return "/" + name
}
