package sms

import (
	"fmt"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// Bounds of a template that a carrier keeps, well above what carriers take: Tencent, as one, values of six characters
// (cloud.tencent.com/document/product/382/13301, read November 2026).
const (
	MaxTemplateCode = 64 // bytes
	MaxParams       = 20
	MaxParamName    = 32  // bytes
	MaxParam        = 200 // bytes
)

// own is the wording of one gateway. An empty text is that for everybody.
type own struct {
	text text
	kept kept
}

// kept is a text that the carrier keeps; the zero kept is none.
type kept struct {
	sign, code string
	params     []keptParam
}

type keptParam struct {
	name  string
	value text
}

func (k kept) fill(code secret.Text, minutes string) gateway.Template {
	if k.code == "" {
		return gateway.Template{}
	}
	t := gateway.Template{Sign: k.sign, Code: k.code, Params: make([]gateway.Param, 0, len(k.params))}
	for _, p := range k.params {
		t.Params = append(t.Params, gateway.Param{Name: p.name, Value: p.value.render(code, minutes)})
	}
	return t
}

// ownWording reads the wording of one gateway.
func (c *composer) ownWording(name string, o OwnOptions) own {
	at := "gateways." + name
	if o.Text == "" && o.Sign == "" && !o.Unsigned && o.Code == "" && len(o.Params) == 0 {
		c.fault(at, "says nothing: must have a text, a sign, or the code of a template that the carrier keeps")
		return own{}
	}
	sign, signAt := o.Sign, at+".sign"
	if sign == "" && !o.Unsigned {
		sign, signAt = c.Sign, "" // whose faults are said already
	}
	var w own
	switch {
	case o.Text != "":
		w.text = c.message(at+".text", o.Text, signAt, sign)
	case signAt != "":
		w.text = c.signedAnew(signAt, sign)
	}
	w.kept = c.keptTemplate(at, o)
	w.kept.sign, _ = parseSign(sign, c.Variables)
	return w
}

// signedAnew is the text for everybody with another signature.
func (c *composer) signedAnew(signAt, sign string) text {
	body, err := parseMessage(c.Text, c.Variables)
	if err != nil {
		return nil // which is said already
	}
	if err := body.checkSign(sign != "", len(c.tail) > 0); err != nil {
		c.fault(signAt, "the text has a signature of its own, in 【】: give sign in its place, or a text beside this sign")
		return nil
	}
	return c.join(c.sign(signAt, sign), body)
}

func (c *composer) keptTemplate(at string, o OwnOptions) kept {
	k := kept{code: o.Code}
	switch {
	case o.Code == "" && len(o.Params) == 0:
		return k
	case o.Code == "":
		c.fault(at+".params", "are for a template that the carrier keeps: give its code too")
	case !isPrintable(o.Code, MaxTemplateCode):
		c.fault(at+".code", fmt.Sprintf("must be at most %d printable ASCII characters", MaxTemplateCode))
	case len(o.Params) > MaxParams:
		c.fault(at+".params", fmt.Sprintf("has %d entries, at most %d are allowed", len(o.Params), MaxParams))
	default:
		k.params = c.params(at+".params", o.Params)
	}
	return k
}

// params reads the values. Just one holds the code: a message without it is of no use, and a second place for it is a slip.
func (c *composer) params(at string, options []ParamOptions) []keptParam {
	params, codes, before := make([]keptParam, 0, len(options)), 0, len(c.faults)
	for i, p := range options {
		value, err := parseParam(p.Value, c.Variables)
		if err == nil {
			err = checkParamName(p.Name)
		}
		c.faultOf(fmt.Sprintf("%s[%d]", at, i), err)
		codes += value.count(codePlace)
		params = append(params, keptParam{p.Name, value})
	}
	if codes != 1 && len(c.faults) == before {
		c.fault(at, fmt.Sprintf("{{.Code}} stands %d times in them, must be once", codes))
	}
	return params
}

// checkParamName takes what carriers allow as the name of a variable; "" is that of one by its place.
func checkParamName(name string) error {
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return fmt.Errorf("its name must be of a-z, A-Z, 0-9, _ and -")
		}
	}
	if len(name) > MaxParamName {
		return fmt.Errorf("its name must be at most %d characters", MaxParamName)
	}
	return nil
}
