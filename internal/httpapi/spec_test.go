package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/errors"
)

// spec holds answers against openapi.json.
type spec struct {
	mu sync.Mutex
	v  validator.Validator
}

// theSpec is read once for all tests: that takes longer than most of them.
var theSpec = sync.OnceValues(func() (*spec, error) {
	doc, err := libopenapi.NewDocument(openAPIDocument)
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(doc)
	if len(errs) > 0 {
		return nil, fmt.Errorf("openapi.json: %v", errs)
	}
	return &spec{v: v}, nil
})

// check reports what is wrong with an answer. A failure at a path or a method that the document does not
// have must be as one at a path that it has.
func (s *spec) check(r *http.Request, status int, h http.Header, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := func() *http.Response {
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(bytes.NewReader(body)), Request: r}
	}
	target := httptest.NewRequest(r.Method, "http://127.0.0.1:8080"+r.URL.Path, nil)
	if r.Method == http.MethodHead || r.Method == http.MethodOptions || status == http.StatusPermanentRedirect {
		return nil // answers without a body
	}
	ok, faults := s.v.ValidateHttpResponse(target, answer())
	if !ok && status >= 400 && slices.ContainsFunc(faults, isUnknown) {
		ok, faults = s.v.ValidateHttpResponse(httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/metrics", nil), answer())
	}
	if ok {
		return nil
	}
	var text strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&text, "%s: %s", f.Message, f.Reason)
		for _, e := range f.SchemaValidationErrors {
			fmt.Fprintf(&text, "; %s at %s", e.Reason, e.FieldPath)
		}
	}
	return fmt.Errorf("answer %d to %s %s is not as documented: %s\n%s", status, r.Method, r.URL.Path, text.String(), body)
}

func isUnknown(e *errors.ValidationError) bool {
	return e.IsPathMissingError() || e.IsOperationMissingError()
}

func TestDocumentIsValid(t *testing.T) {
	t.Parallel()
	s, err := theSpec()
	if err != nil {
		t.Fatal(err)
	}
	if ok, faults := s.v.ValidateDocument(); !ok {
		for _, f := range faults {
			t.Errorf("%s: %s %v", f.Message, f.Reason, f.SchemaValidationErrors)
		}
	}
}

// Every problem of the table is in the document, with the answer it makes as its example.
func TestDocumentHasEveryProblem(t *testing.T) {
	t.Parallel()
	var doc struct {
		Components struct {
			Examples map[string]struct{ Value jsontext.Value }
			Schemas  struct {
				Problem struct {
					Properties struct {
						Code struct{ Enum []string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(openAPIDocument, &doc, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	table := newProblems()
	for i, p := range table {
		want, err := json.Marshal(p.document(p.example, exampleID))
		if err != nil {
			t.Fatal(err)
		}
		got := doc.Components.Examples[p.code].Value
		if got.Compact() != nil || string(got) != string(want) {
			t.Errorf("%s: the example is\n%s, want\n%s", p.code, got, want)
		}
		if codes := doc.Components.Schemas.Problem.Properties.Code.Enum; i >= len(codes) || codes[i] != p.code {
			t.Errorf("%s: not in its place among the codes of the schema Problem: %v", p.code, codes)
		}
	}
	if len(doc.Components.Examples) != len(table) {
		t.Errorf("%d examples, want %d", len(doc.Components.Examples), len(table))
	}
}

// The check is worth nothing if it passes what is not documented.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	s, err := theSpec()
	if err != nil {
		t.Fatal(err)
	}
	problem := `{"type":"/problems/rate-limited","title":"x","status":429,"code":"rate_limited","detail":"x","request_id":"x","retry_after":1}`
	sent := `{"sms_id":"x","scene":"login","phone":"x","code_length":6,"attempts":5,"expires_in":300,"expires_at":"2026-11-30T06:05:00Z","resend_in":60,"delivery":"accepted"}`
	for _, c := range []struct {
		name, method, path string
		status             int
		contentType, body  string
		ok                 bool
	}{
		{"well", "POST", "/api/v1/sms/send", 200, "application/json", sent, true},
		{"a problem", "POST", "/api/v1/sms/send", 429, typeProblem, problem, true},
		{"the code in an answer", "POST", "/api/v1/sms/send", 200, "application/json", sent[:len(sent)-1] + `,"code":"123456"}`, false},
		{"a field is missing", "POST", "/api/v1/sms/send", 200, "application/json", strings.Replace(sent, `"attempts":5,`, "", 1), false},
		{"a problem without its wait", "POST", "/api/v1/sms/send", 429, typeProblem, strings.Replace(problem, `,"retry_after":1`, "", 1), false},
		{"a wait of 0", "POST", "/api/v1/sms/send", 429, typeProblem, strings.Replace(problem, `"retry_after":1`, `"retry_after":0`, 1), false},
		{"a problem that the call does not have", "POST", "/api/v1/sms/send", 422, typeProblem, `{"type":"/problems/code-incorrect","title":"x","status":422,"code":"code_incorrect","detail":"x","request_id":"x","attempts_left":1}`, false},
		{"another status", "POST", "/api/v1/sms/send", 410, typeProblem, problem, false},
		{"another type", "POST", "/api/v1/sms/send", 429, "application/json", problem, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.path, nil)
			h := http.Header{"Content-Type": {c.contentType}, "X-Request-Id": {"x"}, "Retry-After": {"1"}}
			if err := s.check(r, c.status, h, []byte(c.body)); (err == nil) != c.ok {
				t.Errorf("passes: %t, want %t: %v", err == nil, c.ok, err)
			}
		})
	}
}
