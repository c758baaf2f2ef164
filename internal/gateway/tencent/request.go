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
	to, sign := m.Phone.E164(), m.Template.Sign
	if sign == "" {
		sign = g.config.Sign
	}
	mainland := strings.HasPrefix(to, "+86")
	switch {
	case m.Template.IsZero():
		return nil, errNoTemplate
	case sign == "" && mainland:
		return nil, errNoSign
	}
	r := request{
		PhoneNumberSet: []string{to}, SmsSdkAppID: g.config.AppID, TemplateID: m.Template.Code, SignName: sign,
		TemplateParamSet: []string{}, SessionContext: m.ID,
	}
	if !mainland {
		r.SenderID = g.config.SenderID
	}
	for _, p := range m.Template.Params {
		r.TemplateParamSet = append(r.TemplateParamSet, p.Value.Reveal())
	}
	return json.Marshal(r) // strings always can be
}
