// Package storetest holds the conformance suites of the stores' interfaces: one suite for each
// interface, run by every store that implements it. For tests only.
package storetest
