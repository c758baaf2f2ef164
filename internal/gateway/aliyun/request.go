package aliyun

import (
	"encoding/json"
	"net/url"
	"strings"

	"smsd/internal/gateway"
)

// query returns the parameters of SendSms. They travel in the URL, as the vendor's SDK sends them and as its description of
// the API has them: a body is not promised to be read. Errors hold none of them.
func (g *Gateway) query(m gateway.Message) (string, error) {
	template := g.templateOf(m)
	sign := template.Sign
	if sign == "" {
		sign = g.sign
	}
	switch {
	case template.IsZero():
		return "", errNoTemplate
	case sign == "":
		return "", errNoSign
	}
	params, err := encode(template.Params)
	if err != nil {
		return "", err
	}
	return canonical(url.Values{
		"PhoneNumbers":  {number(m.Phone.E164())},
		"SignName":      {sign},
		"TemplateCode":  {template.Code},
		"TemplateParam": {params},
		// The vendor's receipts repeat it, so that they are understood even where the answer with their id was lost.
		"OutId": {m.ID},
	}), nil
}

// number returns a number as the vendor wants it: of the mainland without its country code, and of elsewhere with it and without
// a sign. (SendSms, parameter PhoneNumbers, in the vendor's SDK for Go of 22 August 2026. For the mainland +86, 0086 and
// 86 will do as well, but numbers bound for tests are compared as they are written: document_detail/2858355, November 2026.)
func number(e164 string) string {
	if national, mainland := strings.CutPrefix(e164, "+86"); mainland {
		return national
	}
	return strings.TrimPrefix(e164, "+")
}

// encode returns the values by name, as JSON strings: the vendor refuses numbers (isv.INVALID_JSON_PARAM).
func encode(params []gateway.Param) (string, error) {
	byName := make(map[string]string, len(params))
	for _, p := range params {
		if p.Name == "" {
			return "", errNoName
		}
		byName[p.Name] = p.Value.Reveal()
	}
	encoded, err := json.Marshal(byName) // strings always can be
	return string(encoded), err
}

// templateOf returns m's template, or the gateway's with the code in it; zero: there is neither.
func (g *Gateway) templateOf(m gateway.Message) gateway.Template {
	if m.Template.IsZero() {
		return gateway.Template{Code: g.template, Params: []gateway.Param{{Name: "code", Value: m.Code}}}
	}
	return m.Template
}
