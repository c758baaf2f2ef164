package sms

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// TemplateOptions are what a template is made of. For an app with variables of its own, Variables alone differ.
type TemplateOptions struct {
	// Text is the message: {{.Code}} must stand in it once, {{.Minutes}} may stand, up to four times, and so may
	// {{.Name}} of each variable. At most MaxTemplate bytes.
	Text string
	// Sign is the signature that carriers of China want, without brackets: it goes in front as 【Sign】, and Text then holds
	// no 【 or 】. "": none, or the one with which Text begins or ends. Variables may stand in it. At most MaxSign bytes.
	Sign string
	// WebOTP is a host: the message ends in the line "@host #code", by which a browser offers the code on pages of that
	// host alone (wicg.github.io/sms-one-time-codes). "": no such line.
	WebOTP string
	// AndroidHash is an app's hash: the message ends in a line with it, by which Android hands the message to that app
	// (developers.google.com/identity/sms-retriever). "": none. Not beside WebOTP.
	AndroidHash string
	// Variables are what may stand in texts beside the code and the minutes; see [CheckVariable].
	Variables Variables
	// Gateways are, by name, those that say it in their own way.
	Gateways map[string]OwnOptions
}

// OwnOptions are how one gateway says a message. At least one of Text, Sign, Unsigned and Code is there.
type OwnOptions struct {
	// Text is in place of the template's; signature and last line are added to it all the same. "": the template's.
	Text string
	// Sign is in place of the template's; "": the template's, unless Unsigned.
	Sign     string
	Unsigned bool
	// Code is that of a template which the carrier keeps, with its Params, of which just one holds {{.Code}}. "": the
	// carrier takes any text.
	Code   string
	Params []ParamOptions
}

// ParamOptions are one value of a template that a carrier keeps.
type ParamOptions struct {
	Name  string // "": the carrier takes it by its place
	Value string // as a text, of one line
}

// TemplateError is one thing wrong with a template.
type TemplateError struct {
	Field   string // as "text", "sign" or "gateways.aliyun.params[0]"
	Text    string // what is wrong there
	Unknown string // the name of the variable that there is none of; "" otherwise
}

// Error returns "template: sign: must be one line".
func (e *TemplateError) Error() string {
	if e.Field == "text" {
		return "template: " + e.Text
	}
	return "template: " + e.Field + ": " + e.Text
}

// ParseTemplate makes a template of a text alone.
func ParseTemplate(text string) (Template, error) { return NewTemplate(TemplateOptions{Text: text}) }

// NewTemplate makes a template. The error joins a [*TemplateError] for each thing that is wrong.
func NewTemplate(o TemplateOptions) (Template, error) {
	c := &composer{TemplateOptions: o}
	c.tail = c.lastLine()
	t := Template{text: c.message("text", o.Text, "sign", o.Sign)}
	for _, name := range slices.Sorted(maps.Keys(o.Gateways)) {
		if t.own == nil {
			t.own = make(map[string]own, len(o.Gateways))
		}
		t.own[name] = c.ownWording(name, o.Gateways[name])
	}
	if len(c.faults) > 0 {
		return Template{}, errors.Join(c.faults...)
	}
	return t, nil
}

// composer makes one template and collects what is wrong with it.
type composer struct {
	TemplateOptions
	tail   text // the last line, with what parts it from the text
	faults []error
}

func (c *composer) fault(field, what string) {
	c.faults = append(c.faults, &TemplateError{Field: field, Text: what})
}

func (c *composer) faultOf(field string, err error) {
	var unknown *unknownPlace
	switch {
	case errors.As(err, &unknown):
		c.faults = append(c.faults, &TemplateError{Field: field, Text: err.Error(), Unknown: unknown.name})
	case err != nil:
		c.fault(field, err.Error())
	}
}

// message reads a text, and puts the signature in front of it and the last line behind it.
func (c *composer) message(textAt, raw, signAt, sign string) text {
	front := c.sign(signAt, sign)
	body, err := parseMessage(raw, c.Variables)
	if err == nil {
		err = body.checkSign(sign != "", len(c.tail) > 0)
	}
	if err != nil {
		c.faultOf(textAt, err)
		return nil
	}
	return c.join(front, body)
}

// sign returns the signature as it stands in front of a text. signAt is "" where a fault of it is said elsewhere.
func (c *composer) sign(signAt, sign string) text {
	if sign == "" {
		return nil
	}
	words, err := parseSign(sign, c.Variables)
	if err != nil && signAt != "" {
		c.faultOf(signAt, err)
	}
	return text{{text: "【" + words + "】"}}
}

// join is one text of three. A last line stands alone, so blanks at the end of the body go.
func (c *composer) join(front, body text) text {
	if last := len(body) - 1; len(c.tail) > 0 && body[last].place == noPlace {
		body = slices.Clone(body)
		body[last].text = strings.TrimRight(body[last].text, " \n")
	}
	return slices.Concat(front, body, c.tail).merged()
}
