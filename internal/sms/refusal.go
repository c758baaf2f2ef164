package sms

// A request may be refused in front of the Service, by the local limiters, where it is looked up whether it was executed before. Their
// wait is that of a token; what the rules have said of the same subjects may be longer, and would make a wait that was told untrue.
// These return the refusal that tells the longest wait known here. They charge nothing and cost no I/O.

// SendRefusal is refused, or what this process knows to refuse r for longer.
func (s *Service) SendRefusal(r SendRequest, refused error) error {
	o := &order{app: appOf(r.App), client: r.Client}
	if o.read(r, s.terms(o.app)) != nil {
		return refused
	}
	quota, err := s.limiter.Prepare(o.charge())
	if err != nil {
		return refused
	}
	return longer(refused, quota.Known())
}

// ResendRefusal is refused, or what this process knows to refuse r for longer.
func (s *Service) ResendRefusal(r ResendRequest, refused error) error {
	o := &order{app: appOf(r.App), client: r.Client}
	if o.recall(r, s.terms(o.app)) != nil {
		return refused
	}
	return longer(longer(refused, s.knownAgain(o)), s.limiter.Blocked(o.asker()))
}

// VerifyRefusal is refused, or what this process knows to refuse r for longer.
func (s *Service) VerifyRefusal(r VerifyRequest, refused error) error {
	a := &attempt{asked: r.Scene}
	a.app, a.client = appOf(r.App), r.Client
	a.policy = s.terms(a.app)
	return longer(refused, s.knownVerify(a))
}
