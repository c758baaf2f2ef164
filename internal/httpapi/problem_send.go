package httpapi

import (
	"net/http"

	"smsd/internal/sms"
)

// sendProblems are of messages that the policy does not let go, or no carrier took.
func sendProblems() []*problem {
	return []*problem{
		{
			status: http.StatusUnprocessableEntity, code: "unknown_scene", title: "No such scene",
			detail:  "Use one of the scenes that the operator's policy names.",
			explain: "The scene is not in the policy in force. Names are case-sensitive. Nothing was charged.",
			is:      sentinel(sms.ErrUnknownScene), example: sms.ErrUnknownScene,
		},
		{
			status: http.StatusForbidden, code: "destination_not_allowed", title: "Not served",
			detail:  "Use a number of a country and kind that this scene serves.",
			explain: "The scene does not send to this country, or not to this kind of number (a landline, a premium number). Nothing was charged.",
			is:      sentinel(sms.ErrDestinationNotAllowed), example: sms.ErrDestinationNotAllowed,
		},
		{
			status: http.StatusForbidden, code: "blocked", title: "Blocked",
			detail:  "Contact the operator of this service.",
			explain: "The number or the network is on the policy's block list. Nothing was charged.",
			is:      sentinel(sms.ErrBlocked), example: sms.ErrBlocked,
		},
		{
			status: http.StatusUnprocessableEntity, code: "undeliverable", title: "The number can't be reached",
			detail:  "Check the number; if it is right, use another one.",
			explain: "The carrier surely refused this number, or none has a way to it, and no message was sent. What the number was charged is given back; what the client's address was charged is not.",
			is:      sentinel(sms.ErrUndeliverable), example: sms.ErrUndeliverable,
		},
		{
			status: http.StatusBadGateway, code: "gateway_failed", title: "The message could not be sent",
			detail:  "Try again in a moment.",
			explain: "No carrier took the message. It was surely not sent, and everything charged is given back.",
			is:      sentinel(sms.ErrGatewayFailed), example: sms.ErrGatewayFailed,
		},
	}
}
