package records

// Outcomes returns the ends that an attempt can have, in the order in which docs/records.md explains them. It is the closed
// list of [Attempt.Outcome].
func Outcomes() []string {
	return []string{
		"accepted", "unknown", "verified",
		"rate_limited", "carrier_limited", "blocked", "destination_not_allowed",
		"code_incorrect", "code_expired", "code_used", "attempts_exhausted", "verification_not_found",
		"invalid_request", "invalid_phone", "unknown_scene", "repeated",
		"undeliverable", "gateway_failed", "unavailable", "internal",
	}
}
