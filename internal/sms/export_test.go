package sms

// Outward returns what a client may be told of sent, so that it can be compared.
func (sent Sent) Outward() Sent {
	sent.quota = nil
	return sent
}
