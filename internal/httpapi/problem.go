package httpapi

import (
	"slices"
	"strings"
)

// problem is one row of the table: an error, and what the client is told of it.
type problem struct {
	status int
	// code is what programs use; with dashes for underscores it names the page under /problems/.
	code string
	// uri is the problem's type: where that page is.
	uri string
	// start is how its documents start; see startOf.
	start []byte
	// title and detail are fixed texts; detail says what to do next.
	title, detail string
	// explain is for the page: when this happens, and what it cost.
	explain string
	// is recognises the error.
	is func(error) bool
	// fill adds what only this problem carries; may be nil.
	fill func(error, *document)
	// example is an error of the row, for the page.
	example error
}

// newProblems returns the table. The first row that recognises an error wins; the last one takes all.
func newProblems() []*problem {
	table := newRows()
	for _, p := range table {
		p.uri = "/problems/" + p.name()
		p.start = startOf(p)
	}
	return table
}

// newRows are the rows in their order. What a gateway or a store failed of may be within its error: so the gateway's row
// stands before that of time-outs, and the one that takes all at the end.
func newRows() []*problem {
	return slices.Concat(
		requestProblems(), codeProblems(), tokenProblems(), sendProblems(),
		[]*problem{unavailableProblem()},
		idempotencyProblems(), httpProblems(), accessProblems(),
		[]*problem{internalProblem()},
	)
}

// name is the last part of the problem's type.
func (p *problem) name() string { return strings.ReplaceAll(p.code, "_", "-") }

// find returns the row of table that takes err.
func find(table []*problem, err error) *problem {
	for _, p := range table {
		if p.is(err) {
			return p
		}
	}
	return table[len(table)-1]
}
