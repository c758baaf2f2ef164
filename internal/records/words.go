package records

// The words of rows that are closed lists.

// States are those of a [Verification], as they follow each other.
func States() []string {
	return []string{string(Accepted), string(Delivered), string(Verified), string(Expired), string(Failed)}
}

// Actions are what a [Decision] may be about.
func Actions() []string { return []string{"send", "resend", "verify"} }
