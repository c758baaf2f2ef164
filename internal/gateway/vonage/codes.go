package vonage

import "smsd/internal/gateway"

const (
	badNumber     = gateway.BadNumber
	throttled     = gateway.Throttled
	noRoute       = gateway.NoRoute
	configuration = gateway.Configuration
	temporary     = gateway.Temporary
	ambiguous     = gateway.Ambiguous
	content       = gateway.Content
)

// titles are those of a 422 that the description of the API has (version 1.20.0, 8 October 2026).
var titles = map[string]gateway.Reason{
	"Invalid recipient":                           badNumber,
	"Invalid sender":                              configuration,
	"Invalid params":                              configuration, // but for those of the message: see ofParameters
	"Invalid channel parameters":                  configuration,
	"Invalid client reference":                    configuration,
	"Invalid message type":                        configuration,
	"Unsupported channel":                         configuration,
	"The request body did not contain valid JSON": configuration,
}

// codes are those of the vendor's lists that concern an SMS, as they were on 8 October 2026: developer.vonage.com/en/api-errors, whose
// codes are words, and developer.vonage.com/en/api-errors/messages, whose codes are numbers. Many of the numbers come as a rule
// after a message was taken, in its receipts. What the account as a whole may send is Configuration or, where it is a
// matter of pace, Temporary: another gateway can take the message. Limits on the number, and on the range it is in, are
// Throttled: elsewhere they would be overrun.
//
// A code that is not here is judged by the status of the answer (see [carrier.Answer.Class]).
var codes = map[string]gateway.Reason{
	"low-balance":           configuration,
	"unauthorized":          configuration,
	"unathorized":           configuration, // as the description of the API writes it
	"forbidden":             configuration,
	"not-found":             configuration,
	"unprovisioned":         configuration,
	"account-suspended":     configuration,
	"application-suspended": configuration,
	"jwt-expired":           configuration,
	"jwt-revoked":           configuration,
	"invalid-api-key":       configuration,
	"invalid-params":        configuration,
	"invalid-signature":     configuration,
	"invalid-ip":            configuration,
	"multiple-auth-methods": configuration,
	"invalid-id":            configuration,
	"invalid-json":          configuration,
	"wrong-verb":            configuration,
	"accept-header":         configuration,
	"content-type-header":   configuration,
	"unavailable-legal":     configuration,
	"throttled":             temporary, // how many calls the account makes

	"1000": temporary, // the account's pace
	"1010": configuration,
	"1020": configuration,
	"1022": configuration,
	"1030": ambiguous, // an error in the platform
	"1040": badNumber, // an unknown prefix, for example
	"1050": badNumber, // barred
	"1060": configuration,
	"1070": configuration, // credit or quota
	"1080": configuration,
	"1090": content,   // too long
	"1100": temporary, // "was not submitted"
	"1110": configuration,
	"1120": configuration, // the sender
	"1130": configuration, // ttl
	"1140": configuration,
	"1150": configuration,
	"1160": configuration, // an account for tests, and a number that is not on its list
	"1170": badNumber,
	"1180": badNumber, // out of reach for now
	"1190": badNumber, // no longer active
	"1200": badNumber, // its carrier has changed
	"1210": content,   // the carrier's filter
	"1220": ambiguous, // the handset is busy: it may yet be tried
	"1230": temporary, // the network
	"1240": badNumber, // opted out
	"1241": throttled, // too many to the number
	"1242": configuration,
	"1250": badNumber, // unroutable
	"1251": noRoute,   // no way from this account to that network
	"1260": badNumber,
	"1270": content, // not for the age of the subscriber
	"1280": badNumber,
	"1282": content,
	"1290": badNumber, // no credit to receive it
	"1300": badNumber,
	"1310": badNumber,
	"1320": ambiguous, // already sent
	"1330": ambiguous, // an unknown failure at the provider
	"1331": ambiguous, // the provider does not answer
	"1360": ambiguous, // not delivered in time
	"1400": configuration,
	"1410": configuration,
	"1420": configuration,
	"1430": badNumber,
	"1431": configuration,
	"1440": configuration,
	"1450": configuration,
	"1460": configuration, // the day's limit of a sender in the United States
	"1461": throttled,
	"1470": badNumber, // the account's own rules against fraud, by country, network or range
	"1472": throttled, // a burst to one range
	"1473": badNumber, // pumping suspected
	"1474": badNumber,
	"1475": badNumber,
	"1476": configuration,
	"1480": configuration, // registrations that a country asks for
	"1481": configuration,
	"1482": content,
	"1483": badNumber, // no consent
	"1484": configuration,
	"1490": ambiguous,
	"2001": badNumber, // abuse suspected by the provider
}
