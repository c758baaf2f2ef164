package sms

// Price is what a segment costs at some gateways, to numbers of some countries.
type Price struct {
	Gateways  map[string]bool // by name; nil: every gateway
	Countries map[string]bool // ISO 3166, and [phone.World]; nil: all of them
	Segment   Money
}

// Prices are what segments cost: the first that fits counts.
type Prices []Price

// Of returns what a segment costs that the gateway takes to the country; the zero Money where no price fits.
func (p Prices) Of(gateway, country string) Money {
	for _, price := range p {
		if price.isAt(gateway) && (price.Countries == nil || price.Countries[country]) {
			return price.Segment
		}
	}
	return Money{}
}

func (p Price) isAt(gateway string) bool { return p.Gateways == nil || p.Gateways[gateway] }

// Dearest returns, for each currency, the most that a segment costs at the gateway to any country among those that some
// price knows. A gateway that no price names, as "", costs what those cost that are for every one.
func (p Prices) Dearest(gateway string, among Countries) map[string]Money {
	found, priced := map[string]Money{}, map[string]bool{}
	for _, price := range p {
		if !price.isAt(gateway) || !price.reaches(among, priced) {
			continue
		}
		if m := price.Segment; found[m.Currency].IsZero() || m.Micros > found[m.Currency].Micros {
			found[m.Currency] = m
		}
		if price.Countries == nil {
			break // it leaves nothing to those behind it
		}
	}
	return found
}

// reaches reports whether some country among those given has this price, for which none of priced counted before; it
// adds them to priced.
func (p Price) reaches(among Countries, priced map[string]bool) bool {
	if p.Countries == nil {
		return among.All || !within(among.Named, priced)
	}
	reached := false
	for country := range p.Countries {
		if among.Allows(country) && !priced[country] {
			priced[country], reached = true, true
		}
	}
	return reached
}

func within(some, all map[string]bool) bool {
	for name := range some {
		if !all[name] {
			return false
		}
	}
	return true
}

// Budget bounds what one message of a scene may take. What is zero is not bounded.
type Budget struct {
	Segments int
	Price    Money
}
