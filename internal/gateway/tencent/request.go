package tencent

import (
	"encoding/json"
	"strings"

	"smsd/internal/gateway"
)

// request is the body of SendSms (cloud.tencent.com/document/api/382/55981, November 2026).
type request struct {
	// PhoneNumberSet is one number in E.164, with its sign: the vendor takes it for the mainland and for elsewhere.
	PhoneNumberSet   []string
	SmsSdkAppID      string `json:"SmsSdkAppId"`
	TemplateID       string `json:"TemplateId"`
	SignName         string `json:",omitempty"`
	TemplateParamSet []string
	// SessionContext comes back in the answer, less than 512 bytes.
	SessionContext string `json:",omitempty"`
	SenderID       string `json:"SenderId,omitempty"`
}

func (g *Gateway) body(m gateway.Message) ([]byte, error) {
	template := g.templateOf(m)
	to, sign := m.Phone.E164(), template.Sign
	if sign == "" {
		sign = g.config.Sign
	}
	mainland := strings.HasPrefix(to, "+86")
	switch {
	case template.IsZero():
		return nil, errNoTemplate
	case sign == "" && mainland:
		return nil, errNoSign
	}
	r := request{
		PhoneNumberSet: []string{to}, SmsSdkAppID: g.config.AppID, TemplateID: template.Code, SignName: sign,
		TemplateParamSet: []string{}, SessionContext: m.ID,
	}
	if !mainland {
		r.SenderID = g.config.SenderID
	}
	for _, p := range template.Params {
		r.TemplateParamSet = append(r.TemplateParamSet, p.Value.Reveal())
	}
	return json.Marshal(r) // strings always can be
}

// templateOf returns m's template, or the gateway's with the code in it; zero: there is neither.
func (g *Gateway) templateOf(m gateway.Message) gateway.Template {
	if m.Template.IsZero() {
		return gateway.Template{Code: g.config.Template, Params: []gateway.Param{{Name: "code", Value: m.Code}}}
	}
	return m.Template
}
