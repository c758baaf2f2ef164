package carrier

// Review is how far a carrier's people are with a signature or a template.
type Review uint8

// The reviews. The zero one is for a word of the carrier's that nobody knows.
const (
	Unstated Review = iota
	Approved
	Pending
	Rejected
	Withdrawn
)

// Reviewed keeps a finding about what was submitted for approval; words are the reviewers', if there are any.
func (e *Examination) Reviewed(what string, r Review, words string) {
	switch r {
	case Unstated:
		e.Doubtful(what, "the carrier does not say whether it is approved", atTheConsole)
	case Approved:
		e.Good(what, "approved")
	case Pending:
		e.Bad(what, "not approved yet: the carrier is looking at it", "wait for the carrier, mostly a few hours; its console tells")
	case Rejected:
		e.Bad(what, "rejected"+said(words), "change it in the carrier's console and submit it again, or use another")
	default:
		e.Bad(what, "withdrawn", "submit it again in the carrier's console, or use another")
	}
}

func said(words string) string {
	if words = Words(words); words == "" {
		return ""
	}
	return ": " + words
}
