package gatewaytest

import (
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// KeptHarness makes what [RunKept] needs, for a carrier that keeps the texts.
type KeptHarness struct {
	Template string // a code as the carrier has them
	// Code is how a carrier's fake writes the values of a template whose only one is the code 493817.
	Code string
	// Open opens a driver with these two settings beside a fake that takes everything, and returns what the fake got last; the zero
	// Kept: nothing.
	Open func(t *testing.T, sign, template string) (d gateway.Driver, got func() Kept)
}

// Kept is a message as a carrier that keeps the texts has it.
type Kept struct{ Sign, Template, Values string }

// KeptTemplate is a carrier's template for m, with its signature and two values.
func KeptTemplate(code string, m gateway.Message) gateway.Template {
	return gateway.Template{Sign: "示例科技", Code: code, Params: []gateway.Param{{Name: "code", Value: m.Code}, {Name: "minutes", Value: secret.New("5")}}}
}

// KeptMessage is a message to a number, with [KeptTemplate].
func KeptMessage(to, code string) gateway.Message {
	m := gateway.Message{ID: "6f0e4b6e-9d0c", Phone: phone.MustParse(to), Scene: "login", Locale: "zh", Code: secret.New("493817"), Text: secret.New("493817 ...")}
	m.Template = KeptTemplate(code, m)
	return m
}

// RunKept shows that the gateway's own signature and template stand in for those that a message lacks, and that what has neither is not
// tried, with an error that says what to set.
func RunKept(t *testing.T, h KeptHarness) {
	noSign := func(m *gateway.Message) { m.Template.Sign = "" }
	noTemplate := func(m *gateway.Message) { m.Template = gateway.Template{} }
	for name, c := range map[string]struct {
		sign, template string // of the gateway
		lacks          func(*gateway.Message)
		want           Kept
		says           string // of what is missing
	}{
		"the gateway's signature":                     {"别的", "", noSign, Kept{Sign: "别的", Template: h.Template}, ""},
		"the gateway's template, with the code alone": {"别的", h.Template, noTemplate, Kept{"别的", h.Template, h.Code}, ""},
		"no template":  {"别的", "", noTemplate, Kept{}, "no template"},
		"no signature": {"", "", noSign, Kept{}, "no signature"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, got := h.Open(t, c.sign, c.template)
			m := KeptMessage("+8613900001234", h.Template)
			c.lacks(&m)
			_, err := d.Send(t.Context(), m)
			if c.says != "" {
				WantError(t, err, gateway.Configuration, gateway.NotSent, c.says)
			} else if err != nil {
				t.Fatal(err)
			}
			if had := got(); had.Sign != c.want.Sign || had.Template != c.want.Template || c.want.Values != "" && had.Values != c.want.Values || c.says != "" && had != c.want {
				t.Errorf("the carrier got %+v, want %+v", had, c.want)
			}
		})
	}
}
