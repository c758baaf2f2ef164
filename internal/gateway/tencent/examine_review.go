package tencent

import (
	"context"
	"regexp"
	"slices"
	"strconv"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// maxIDs is how many templates one question may name (the vendor's SDK for Go, version 2021-01-11, November 2026).
const maxIDs = 100

// reviewed is what the vendor says of a template (DescribeTemplateListStatus, cloud.tencent.com/document/api/382/38779, and the
// vendor's SDK for Go; November 2026).
type reviewed struct {
	TemplateID      uint64 `json:"TemplateId"`
	StatusCode      int
	ReviewReply     string
	TemplateContent string // the vendor's international site leaves it out
}

// templates asks about all at once: about those for the mainland, and then, of what is not among them, about those for elsewhere.
func (e *examination) templates(ctx context.Context, templates []gateway.Template) {
	wanted := e.numbers(templates)
	found := map[uint64]reviewed{}
	for _, international := range []int{0, 1} {
		for ids := range slices.Chunk(missing(wanted, found), maxIDs) {
			if !e.list(ctx, international, ids, found) {
				return
			}
		}
	}
	for _, t := range templates {
		if id, ok := number(t.Code); ok {
			e.template(t, found[id])
		}
	}
}

// numbers returns the ids of the templates, each once. What is none the vendor has never given.
func (e *examination) numbers(templates []gateway.Template) []uint64 {
	var ids []uint64
	for _, t := range templates {
		id, ok := number(t.Code)
		switch {
		case !ok:
			e.Bad("template "+carrier.Words(t.Code), "it is no number, as this carrier's are", "see in the carrier's console which number it has")
		case !slices.Contains(ids, id):
			ids = append(ids, id)
		}
	}
	return ids
}

func number(code string) (uint64, bool) {
	id, err := strconv.ParseUint(code, 10, 63)
	return id, err == nil && id > 0
}

func missing(wanted []uint64, found map[uint64]reviewed) []uint64 {
	return slices.DeleteFunc(slices.Clone(wanted), func(id uint64) bool { return found[id].TemplateID != 0 })
}

// list asks about templates of one sort, and keeps what there is. It returns false if it was told why there is nothing.
func (e *examination) list(ctx context.Context, international int, ids []uint64, found map[uint64]reviewed) bool {
	var r struct{ DescribeTemplateStatusSet []reviewed }
	code, ok := e.ask(ctx, question{"templates", "DescribeSmsTemplateList", map[string]any{"International": international, "TemplateIdSet": ids}}, &r)
	switch {
	case !ok:
		return false
	case code != "" && !slices.Contains(absent, code):
		e.Unsaid("templates", code)
		return false
	}
	for _, t := range r.DescribeTemplateStatusSet {
		found[t.TemplateID] = t
	}
	return true
}

// absent are the codes by which the vendor says that it has none of the templates.
var absent = []string{
	"FailedOperation.TemplateIdNotExist", "FailedOperation.TemplateUnapprovedOrNotExist", "FailedOperation.TemplateIncorrectOrUnapproved",
}

// place is one in a template's text, as {1}.
var place = regexp.MustCompile(`\{[0-9]+\}`)

func (e *examination) template(t gateway.Template, r reviewed) {
	what := "template " + t.Code
	switch {
	case r.TemplateID == 0:
		e.Bad(what, "the account has none of that number", "see that it is the number in the carrier's console, and that the key is that account's")
	case r.StatusCode == 0 && r.TemplateContent == "":
		e.Good(what, "approved; the carrier does not tell its text")
	case r.StatusCode == 0:
		if e.Places(what, count(r.TemplateContent), t.Params) {
			e.Reviewed(what, carrier.Approved, "")
		}
	case r.StatusCode == 1:
		e.Reviewed(what, carrier.Pending, "")
	case r.StatusCode == 2:
		e.Bad(what, "approved, and not in force yet", "wait until the carrier's console says that it is")
	case r.StatusCode == -1:
		e.Reviewed(what, carrier.Rejected, r.ReviewReply)
	default:
		e.Reviewed(what, carrier.Unstated, "")
	}
}

// count returns how many values a text takes: a place that stands twice takes one.
func count(text string) int {
	all := place.FindAllString(text, -1)
	slices.Sort(all)
	return len(slices.Compact(all))
}
