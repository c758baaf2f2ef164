// Package records keeps what was accepted and what was decided: a row for each verification, and a log of every
// attempt for fraud teams. It knows nothing of how a message is sent.
//
// A [Store] is the driver below, in SQLite or PostgreSQL. Nothing in it is a person's in clear: whom a row is about
// is a keyed hash, beside which the number is sealed, so that it can be shown masked and given to its owner.
package records
