package httpapi

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/go-playground/validator/v10"
)

// validation is echo's Validator over the `validate` tags of request types.
type validation struct{ v *validator.Validate }

func newValidation() (*validation, error) {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(jsonName)
	// The built-in max counts runes; what stores and logs must bound are bytes.
	if err := v.RegisterValidation("bytes", atMostBytes); err != nil {
		return nil, fmt.Errorf("httpapi: validator: %w", err)
	}
	return &validation{v}, nil
}

func atMostBytes(f validator.FieldLevel) bool {
	limit, err := strconv.Atoi(f.Param())
	return err == nil && f.Field().Kind() == reflect.String && f.Field().Len() <= limit
}

// Validate implements [echo.Validator]. Every fault is in the error. The validator asks each field for an interface: behind
// a pointer that copies every field, and of a struct's value, which is one copy, none.
func (v *validation) Validate(target any) error {
	err := v.v.Struct(reflect.ValueOf(target).Elem().Interface())
	if err == nil {
		return nil
	}
	found := &bindError{}
	faults, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return fmt.Errorf("httpapi: validator: %w", err)
	}
	for _, f := range faults {
		found.add(atPointer("/"+f.Field(), codeOfTag(f.Tag())))
	}
	return found
}

func codeOfTag(tag string) string {
	switch tag {
	case "required", "required_without":
		return codeRequired
	case "bytes":
		return codeTooLong
	}
	return codeInvalid
}
