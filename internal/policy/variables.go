package policy

import (
	"maps"

	"go.yaml.in/yaml/v3"

	"smsd/internal/sms"
)

const variablesKey = "variables"

// variables reads texts that templates may name.
func (o object) variables(key string) sms.Variables {
	p, there := o.fields[key]
	if !there {
		return nil
	}
	entries := p.entries("a mapping of names to texts, as {Product: Example}")
	switch {
	case len(entries) > sms.MaxVariables:
		p.faultf("has %d variables, at most %d are allowed", len(entries), sms.MaxVariables)
		return nil
	case p.isEmpty(yaml.MappingNode):
		p.fault("must hold at least one variable, or be left out")
	}
	variables := sms.Variables{}
	for _, e := range entries {
		value, ok := e.value.text("a text")
		if !ok {
			continue
		}
		e.at.faultOf(sms.CheckVariableName(e.name))
		e.value.faultOf(sms.CheckVariable(value))
		variables[e.name] = value
	}
	return variables
}

func (p place) faultOf(err error) {
	if err != nil {
		p.fault(err.Error())
	}
}

// extended are the variables of the top with those of an app, which go before.
func extended(top, own sms.Variables) sms.Variables {
	all := sms.Variables{}
	maps.Copy(all, top)
	maps.Copy(all, own)
	return all
}
