package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/secret"
	"smsd/internal/sms"
)

// TestMessage is one message that [PrepareTest] prepares.
type TestMessage struct {
	Gateway       string // its name; "": that which the settings choose
	To            phone.Number
	Scene, Locale string
}

// Trial is a test message, ready to go.
type Trial struct {
	Gateway string
	// Locale is the language of the text, and Text what people will read, with * for the code.
	Locale, Text string
	// Template is the carrier's template that the policy has for it; "": none.
	Template string
	// ForTests says that the gateway's messages reach nobody.
	ForTests bool

	router  *gateway.Router
	message gateway.Message
}

// PrepareTest makes a message of the scene's real text with a code drawn for it, which is kept nowhere and verifies nothing. cfg
// has passed [CheckGateways].
func PrepareTest(cfg *config.Config, t TestMessage) (*Trial, error) {
	if t.Gateway == "" {
		t.Gateway = cfg.Gateway[0] // there is always one
	}
	g, found := cfg.Gateways[t.Gateway]
	if !found {
		return nil, fmt.Errorf("no gateway %q; the settings have %s", t.Gateway, strings.Join(GatewayNames(cfg), ", "))
	}
	p, _, faults := checkPolicy(cfg)
	if err := faults.Err(); err != nil { // the file was changed since it was checked
		return nil, err
	}
	scene, found := p.Scenes[t.Scene]
	if !found {
		return nil, fmt.Errorf("no scene %q; the policy has %s", t.Scene, strings.Join(slices.Sorted(maps.Keys(p.Scenes)), ", "))
	}
	driver, err := kinds()[g.Kind].open(t.Gateway, g)
	if err != nil {
		return nil, err
	}
	router, err := gateway.NewRouter(gateway.RouterOptions{
		Gateways: []gateway.Gateway{{Name: t.Gateway, Driver: driver}}, TryTimeout: cfg.GatewayTimeout,
	})
	if err != nil {
		return nil, err
	}
	trial := &Trial{Gateway: t.Gateway, ForTests: kinds()[g.Kind].forTests, router: router}
	return trial, trial.word(scene, t)
}

// word makes the message.
func (t *Trial) word(scene *sms.Scene, m TestMessage) error {
	code, err := madeUp(scene.CodeLength)
	if err != nil {
		return err
	}
	template, tag := scene.Templates.Match(m.Locale)
	t.Locale = tag
	t.Text = template.Say(t.Gateway, secret.New(strings.Repeat("*", scene.CodeLength)), scene.TTL).Text.Reveal()
	said := template.Say(t.Gateway, code, scene.TTL)
	t.Template = said.Template.Code
	t.message = gateway.Message{
		ID: sms.NewID(), SMSID: sms.NewID(), Phone: m.To, Scene: m.Scene, Locale: tag,
		Text: said.Text, Template: said.Template, Code: code,
	}
	return nil
}

// Send hands the message to the gateway, once. It is neither counted nor recorded. The error is nil: the carrier took it.
func (t *Trial) Send(ctx context.Context) (providerID string, failure *gateway.Error) {
	defer t.router.Close()
	accepted, err := t.router.Send(ctx, gateway.Dispatch{Message: t.message})
	if err == nil {
		return accepted.ProviderID, nil
	}
	if !errors.As(err, &failure) { // the router's always is one
		failure = &gateway.Error{Reason: gateway.Ambiguous, Err: err}
	}
	return "", failure
}

// madeUp draws a code of that many digits.
func madeUp(length int) (secret.Text, error) {
	n, err := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(length)), nil))
	if err != nil {
		return secret.Text{}, err
	}
	return secret.New(fmt.Sprintf("%0*d", length, n)), nil
}
