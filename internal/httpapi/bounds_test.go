package httpapi

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// domainBounds are the longest values, in bytes, that the domain takes of a field.
var domainBounds = map[string]int{
	"phone": phone.MaxInput, "scene": throttle.MaxName, "locale": sms.MaxLocale,
	"device_id": sms.MaxDeviceID, "code": sms.MaxTypedCode, "nonce": proof.MaxNonce, "token": proof.MaxToken, "audience": throttle.MaxName,
}

// property is what a schema says of a field. A closed list needs no length.
type property struct {
	MaxLength int      `json:"maxLength"`
	Enum      []string `json:"enum"`
}

// A field has one bound: the domain's, in the tag of the request and in the document.
func TestBoundsAgree(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for schema, request := range map[string]any{
		"SendRequest": sendRequest{}, "ResendRequest": resendRequest{}, "VerifyRequest": verifyRequest{},
		"ConsumeRequest": consumeRequest{},
		"FaultRequest":   faultRequest{}, "ClockRequest": clockRequest{}, "MockReceiptRequest": mockReceiptRequest{},
	} {
		documented := schemaProperties(t, schema)
		fields := reflect.TypeOf(request)
		if len(documented) != fields.NumField() {
			t.Errorf("%s: %d fields are documented, want %d", schema, len(documented), fields.NumField())
		}
		for i := range fields.NumField() {
			name, bound := jsonName(fields.Field(i)), tagBound(t, fields.Field(i))
			met[name] = true
			if want, bounded := domainBounds[name]; bounded && bound != want {
				t.Errorf("%s: %s is bounded to %d bytes, and by the domain to %d", schema, name, bound, want)
			}
			p, known := documented[name]
			if !known || p.Enum == nil && p.MaxLength != bound {
				t.Errorf("%s: %s is bounded to %d bytes, and documented as %+v", schema, name, bound, p)
			}
		}
	}
	for name := range domainBounds {
		if !met[name] {
			t.Errorf("no request has %s", name)
		}
	}
}

// tagBound is the bound that the validator holds a field to; 0: none by length.
func tagBound(t *testing.T, f reflect.StructField) int {
	t.Helper()
	for rule := range strings.SplitSeq(f.Tag.Get("validate"), ",") {
		if text, ok := strings.CutPrefix(rule, "bytes="); ok {
			bound, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			return bound
		}
	}
	return 0
}

func schemaProperties(t *testing.T, schema string) map[string]property {
	t.Helper()
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]property `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(openAPIDocument, &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Components.Schemas[schema].Properties
}
