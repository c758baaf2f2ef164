package policy

import (
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

const pricesKey = "prices"

// maxPrices bounds the prices of the top, and of the section of an app: each message looks at them from the first on until one
// fits. Some 250 countries have a price of their own at three or four carriers.
const maxPrices = 1_000

// maxPriceGateways bounds the gateways of one price: nobody has as many accounts.
const maxPriceGateways = 64

// price is a price and where it stands.
type price struct {
	sms.Price
	at place
}

func readPrices(p place) []price {
	var prices []price
	for _, item := range p.list(maxPrices, `a list of prices, as [{countries: [US], segment: "0.0083 USD"}]`) {
		if one, ok := readPrice(item); ok {
			prices = append(prices, one)
		}
	}
	return prices
}

func readPrice(p place) (price, bool) {
	o, ok := p.object("gateways", "countries", "segment")
	if !ok {
		return price{}, false
	}
	o.require("segment")
	o.notEmpty("gateways", "countries")
	return price{at: p, Price: sms.Price{
		Gateways:  o.gatewayNames("gateways"),
		Countries: o.countries("countries").Named,
		Segment:   o.money("segment"),
	}}, true
}

// gatewayNames reads a list of different gateways; nil: there is none.
func (o object) gatewayNames(key string) map[string]bool {
	p, there := o.fields[key]
	if !there {
		return nil
	}
	names, _ := p.names(maxPriceGateways, "a list of gateways, as [twilio]", "the name of a gateway", gateway.IsName, gatewayNameRule)
	return set(names)
}

// money reads an amount in a currency. What is missing or wrong is zero.
func (o object) money(key string) sms.Money {
	p, there := o.fields[key]
	if !there {
		return sms.Money{}
	}
	const what = "an amount with up to six digits after a point and a currency (ISO 4217), as 0.0083 USD"
	text, ok := p.text(what)
	if !ok {
		return sms.Money{}
	}
	m, err := sms.ParseMoney(text)
	if err != nil {
		p.fault(strings.TrimPrefix(err.Error(), "money: "))
	}
	return m
}

func pricesOf(all []price) (prices sms.Prices) {
	for _, p := range all {
		prices = append(prices, p.Price)
	}
	return prices
}

// warnOfPrices warns of prices behind one that is for all of theirs.
func (t terms) warnOfPrices() {
	for i, p := range t.prices {
		for _, earlier := range t.prices[:i] {
			if reaches(earlier.Gateways, p.Gateways) && reaches(earlier.Countries, p.Countries) {
				p.at.warnf("can never be a message's price: the one on line %d is for all of its gateways and countries", earlier.at.node.Line)
				break
			}
		}
	}
}

// reaches reports whether all names everything that some names; nil names everything there is.
func reaches(all, some map[string]bool) bool {
	switch {
	case all == nil:
		return true
	case some == nil, len(all) < len(some):
		return false
	}
	for name := range some {
		if !all[name] {
			return false
		}
	}
	return true
}
