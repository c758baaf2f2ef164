// Package gateway gets one message out, and says what became of it.
package gateway
