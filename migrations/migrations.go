// Package migrations will embed the SQL schema; there is none yet.
package migrations
