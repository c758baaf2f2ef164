package httpapi

import (
	"net/http"

	"github.com/go-json-experiment/json"
)

// reply is an answer.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// field is one of the body, a JSON object; nil if it has none of that name.
func (r *reply) field(name string) any {
	var all map[string]any
	if json.Unmarshal(r.body, &all) != nil {
		return nil
	}
	return all[name]
}

func (r *reply) text(name string) string {
	s, _ := r.field(name).(string)
	return s
}

func (r *reply) number(name string) int {
	f, _ := r.field(name).(float64)
	return int(f)
}

// code is the problem's, or "".
func (r *reply) code() string {
	if r.status < 400 {
		return ""
	}
	return r.text("code")
}
