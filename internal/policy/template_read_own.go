package policy

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// maxOwn bounds the gateways that say one text in their own way: more than accounts at carriers that anybody has.
const maxOwn = 32

// readGateways reads how some gateways say it in their own way.
func (l *language) readGateways(p place) {
	entries := p.entries("a mapping of gateways, as {aliyun: {code: ...}}")
	switch {
	case len(entries) > maxOwn:
		p.faultf("has %d gateways, at most %d are allowed", len(entries), maxOwn)
		return
	case p.isEmpty(yaml.MappingNode):
		p.fault("must hold at least one gateway; where none says it in its own way, leave it out")
	}
	l.options.Gateways = map[string]sms.OwnOptions{}
	for _, e := range entries {
		if !gateway.IsName(e.name) {
			e.at.fault(gatewayNameRule)
			continue
		}
		l.options.Gateways[e.name] = l.readOwn(e.value, "gateways."+e.name)
	}
}

// readOwn reads how one of them says it. An empty sign is none, where a missing one is the template's.
func (l *language) readOwn(p place, path string) (own sms.OwnOptions) {
	l.fields[path] = p
	o, ok := p.object("text", "sign", "code", "params")
	if !ok {
		return own
	}
	own.Text = l.read(o, "text", path+".", sms.MaxTemplate)
	own.Code = l.read(o, "code", path+".", sms.MaxTemplateCode)
	if sign, there := o.fields["sign"]; there && sign.node.Kind == yaml.ScalarNode && sign.node.Value == "" && !isNull(sign.node) {
		own.Unsigned, l.fields[path+".sign"] = true, sign
	} else {
		own.Sign = l.read(o, "sign", path+".", sms.MaxSign)
	}
	if params, there := o.fields["params"]; there {
		own.Params = l.readParams(params, path+".params")
	} else if own.Code != "" {
		o.require("params")
	}
	return own
}

// readParams reads the values of a template that a carrier keeps: a mapping where it takes them by name, a list where by
// their places.
func (l *language) readParams(p place, path string) (params []sms.ParamOptions) {
	l.fields[path] = p
	if p.node.Kind == yaml.SequenceNode {
		for _, item := range p.list(sms.MaxParams, "") {
			params = append(params, l.readParam(item, path, "", len(params)))
		}
		return params
	}
	for _, e := range p.entries(`a mapping of names to texts, as {code: "{{.Code}}"}, or a list of texts, as ["{{.Code}}"]`) {
		if e.name == "" {
			e.at.fault("is no name")
		}
		params = append(params, l.readParam(e.value, path, e.name, len(params)))
	}
	return params
}

func (l *language) readParam(p place, path, name string, i int) sms.ParamOptions {
	field := fmt.Sprintf("%s[%d]", path, i)
	l.fields[field] = p
	text, ok := p.text(`a text, as "{{.Code}}"`)
	if ok {
		l.short(field, text, sms.MaxParam)
	}
	return sms.ParamOptions{Name: name, Value: text}
}
