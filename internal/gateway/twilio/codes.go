package twilio

import (
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// meaning is what a code says of a message that was refused, or made and failed: none was sent.
type meaning struct {
	reason gateway.Reason
	wait   time.Duration // by the code's page; 0: it names none
}

var (
	badNumber     = meaning{reason: gateway.BadNumber}
	noRoute       = meaning{reason: gateway.NoRoute}
	configuration = meaning{reason: gateway.Configuration}
	temporary     = meaning{reason: gateway.Temporary}
	content       = meaning{reason: gateway.Content}
)

// refusal returns the error of a message that was refused with that code. The answer's own wait goes before the page's.
func (m meaning) refusal(code string, wait time.Duration) error {
	refused := carrier.Refused(m.reason, code)
	refused.RetryAfter = wait
	if wait == 0 {
		refused.RetryAfter = m.wait
	}
	return refused
}

// codes are those of the vendor's dictionary that concern sending. Each has its page, twilio.com/docs/api/errors/CODE, and was
// read there as kept in November 2026, but for these, which were read in the vendor's whole dictionary (twilio-error-codes.json) as it was in
// May 2023: 20005, 20006, 20008, 21212, 21602, 21607, 21614, 21618, 21619, 21701, 21703, 21704, 30004, 30024 and 30032. Those from
// 30000 on come as a rule after a message was taken, in its receipts; an answer holds one only if the message failed while it was made. What the account as a whole may send is Configuration or, where
// it is a matter of pace, Temporary: another gateway can take the message. Only limits on the number are Throttled.
//
// A code that is not here is judged by the status of the answer (see [carrier.Answer.Class]).
var codes = map[int]meaning{
	21211: badNumber, // not a valid number
	21265: badNumber, // a short code
	21266: badNumber, // the sender itself
	21610: badNumber, // opted out
	21614: badNumber, // not a mobile
	21635: badNumber, // a landline
	30003: badNumber, // the handset can't be reached
	30004: badNumber, // blocked by the recipient or its network
	30005: badNumber, // unknown
	30006: badNumber, // a landline, or a network that can't be reached

	// No way from this account, this sender, or any of a service's, to this number: the account may not send to its country, that or its
	// network takes no such sender, or the vendor does not get there.
	21408: noRoute,
	21612: noRoute,
	21703: noRoute,

	14107: {gateway.Throttled, 30 * time.Second}, // 30 messages between two numbers, within 30 s
	30450: {gateway.Throttled, 30 * time.Minute}, // pumping suspected: the number is blocked for 15 to 30 min
	30453: {gateway.Throttled, 3 * time.Hour},    // the same, "a few hours"

	14103: content,
	21602: content, // no text
	21605: content, // too long for an older address of the API
	21617: content, // too long
	21618: content, // can't be sent
	21619: content, // no text
	21658: content, // a parameter is too long, which here can be the text alone
	30007: content, // filtered
	30044: content, // too long for a trial account

	// Who sends.
	14108: configuration,
	21212: configuration,
	21601: configuration,
	21603: configuration,
	21606: configuration,
	21607: configuration,
	21659: configuration,
	21660: configuration,
	21701: configuration,
	21704: configuration,
	21705: configuration,
	30024: configuration,
	30032: configuration, // a toll-free number that is not verified
	30034: configuration, // 10DLC: the number has no campaign
	30042: configuration,
	30127: configuration,

	// The account: its keys, its balance, where and how much it may send.
	10001: configuration,
	20003: configuration,
	20005: configuration,
	20006: configuration,
	20008: configuration,
	20404: configuration,
	21608: configuration, // a trial account, and a number that is not verified
	21609: configuration, // the address for receipts, which is made of http.public_url
	30002: configuration, // suspended
	60728: configuration, // its limit by the hour
	63038: configuration, // its limit by the day

	20429: temporary, // too many calls at once
	21611: temporary, // too many messages wait for this sender
	21730: temporary, // maintenance
	30001: temporary, // too many messages wait
	30022: temporary, // 10DLC: too fast
	63017: temporary, // too fast
}
