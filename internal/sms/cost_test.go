package sms_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/records"
	"smsd/internal/sms"
)

// priced has a text of two segments, and prices by country; the gateway of the tests is mock.
const priced = `
prices:
  - {gateways: [other], segment: 9 EUR}
  - {gateways: [mock], countries: [CN], segment: 0.045 CNY}
  - {countries: [US], segment: 0.0083 USD}
scenes:
  login:
    resend: same
    templates: {en: "{{.Code}} is your code. It works for {{.Minutes}} minutes. Don’t give it to anybody, whoever asks for it."}
    limits: [{name: hour, by: [phone], limit: 4, window: 1h}]
`

const american = "+12025550100"

// A row says what all messages of a verification cost, and the metric what all messages do.
func TestCostOfMessages(t *testing.T) {
	t.Parallel()
	resent := func(l *ledger, number string, times int) {
		sent := l.send(ask(number))
		for range times {
			l.resend(sent.SMSID)
		}
	}
	for name, c := range map[string]struct {
		do     func(l *ledger)
		cost   sms.Money
		metric string
	}{
		"one message":   {func(l *ledger) { resent(l, alice, 0) }, sms.Money{Micros: 90_000, Currency: "CNY"}, `smsd_cost_micros_total{country="CN",currency="CNY",gateway="mock"} 90000`},
		"three of them": {func(l *ledger) { resent(l, alice, 2) }, sms.Money{Micros: 270_000, Currency: "CNY"}, `smsd_cost_micros_total{country="CN",currency="CNY",gateway="mock"} 270000`},
		"another price": {func(l *ledger) { resent(l, american, 1) }, sms.Money{Micros: 33_200, Currency: "USD"}, `smsd_cost_micros_total{country="US",currency="USD",gateway="mock"} 33200`},
		"no price":      {func(l *ledger) { resent(l, bob, 1) }, sms.Money{}, `smsd_unpriced_messages_total{country="GB",gateway="mock"} 2`},
		"nobody can tell whether it left": {func(l *ledger) { l.fails(mock.TimeoutAfterAccept, nil) }, sms.Money{Micros: 90_000, Currency: "CNY"},
			`smsd_cost_micros_total{country="CN",currency="CNY",gateway="mock"} 90000`},
		"it surely did not leave": {func(l *ledger) { l.fails(mock.Unavailable, sms.ErrGatewayFailed) }, sms.Money{}, ""},
		"a resend that surely did not leave": {func(l *ledger) {
			sent := l.send(ask(alice))
			l.setFault(mock.Unavailable, "", 1, 0)
			if _, err := l.Resend(l.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home}); !errors.Is(err, sms.ErrGatewayFailed) {
				l.t.Errorf("resend: %v", err)
			}
		}, sms.Money{Micros: 90_000, Currency: "CNY"}, `smsd_cost_micros_total{country="CN",currency="CNY",gateway="mock"} 90000`},
		"a dearer price for the resend": {func(l *ledger) {
			sent := l.send(ask(alice))
			l.usePolicy(strings.Replace(priced, "0.045 CNY", "0.055 CNY", 1))
			l.resend(sent.SMSID)
		}, sms.Money{Micros: 200_000, Currency: "CNY"}, `smsd_cost_micros_total{country="CN",currency="CNY",gateway="mock"} 200000`},
		"another currency for the resend": {func(l *ledger) {
			sent := l.send(ask(alice))
			l.usePolicy(strings.Replace(priced, "0.045 CNY", "0.006 USD", 1))
			l.resend(sent.SMSID)
		}, sms.Money{Currency: records.MixedCurrency}, `smsd_cost_micros_total{country="CN",currency="USD",gateway="mock"} 12000`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLedger(t, setup{policy: priced})
			c.do(l)
			f := l.row().Fate
			if got := (sms.Money{Micros: f.CostMicros, Currency: f.Currency}); got != c.cost {
				t.Errorf("cost %+v, want %+v", got, c.cost)
			}
			if c.metric != "" {
				l.metric(c.metric)
			} else if strings.Contains(l.metrics(), "smsd_cost_micros_total{") {
				t.Error("something is counted that was not spent")
			}
		})
	}
}

// A message to a test number is none, and costs nothing.
func TestTestNumbersCostNothing(t *testing.T) {
	t.Parallel()
	l := newLedger(t, setup{policy: priced + `test_numbers: [{phone: "` + alice + `", code: "123456", until: 2126-12-31}]`})
	l.send(ask(alice))
	if f := l.row().Fate; f.CostMicros != 0 || f.Currency != "" {
		t.Errorf("%+v", f)
	}
}

// Without records the metric counts all the same; without prices it counts nothing, and misses none.
func TestCostsWithoutRecordsAndWithoutPrices(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: priced})
	r.send(ask(alice))
	r.metric(`smsd_cost_micros_total{country="CN",currency="CNY",gateway="mock"} 90000`)
	r = newRig(t, setup{})
	r.send(ask(alice))
	r.pass(time.Second)
	for _, name := range []string{"smsd_cost_micros_total{", "smsd_unpriced_messages_total{"} {
		if strings.Contains(r.metrics(), name) {
			t.Errorf("%s is there without prices", name)
		}
	}
}
