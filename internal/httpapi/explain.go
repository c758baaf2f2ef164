package httpapi

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"
)

// explanation is one row of the table for a reader.
type explanation struct {
	Type    string         `json:"type"`
	Title   string         `json:"title"`
	Status  int            `json:"status"`
	Code    string         `json:"code"`
	Detail  string         `json:"detail"`
	Explain string         `json:"explanation"`
	Example jsontext.Value `json:"example"`
}

// exampleID is the request id in examples.
const exampleID = "6f9619ff-8b86-4011-b42d-00c04fc964ff"

func (p *problem) explanation() (*explanation, error) {
	d := p.document(p.example, exampleID)
	example, err := json.Marshal(d, jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	return &explanation{
		Type: d.Type, Title: p.title, Status: p.status, Code: p.code, Detail: p.detail, Explain: p.explain,
		Example: example,
	}, nil
}

// problemPage answers GET /problems/NAME.
func (s *core) problemPage(c echo.Context) error {
	for _, p := range s.problems {
		if p.name() != c.Param("name") {
			continue
		}
		e, err := p.explanation()
		if err != nil {
			return err
		}
		return s.explain(c, "problem", e)
	}
	return echo.ErrNotFound
}

// problemIndex answers GET /problems/ with all of them.
func (s *core) problemIndex(c echo.Context) error {
	all := make([]*explanation, 0, len(s.problems))
	for _, p := range s.problems {
		e, err := p.explanation()
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	return s.explain(c, "problems", map[string]any{"problems": all})
}

// explain answers with JSON for programs and a page for people.
func (s *core) explain(c echo.Context, page string, v any) error {
	c.Response().Header().Add(echo.HeaderVary, echo.HeaderAccept)
	if wantsJSON(c.Request().Header.Get(echo.HeaderAccept)) {
		return answer(c, http.StatusOK, v)
	}
	return s.pages.show(c, page, v)
}

// wantsJSON looks at what is named, not at weights: browsers name text/html, programs that want JSON
// name it.
func wantsJSON(accept string) bool {
	return strings.Contains(accept, "json") && !strings.Contains(accept, "text/html")
}
