// Package throttle answers one question: may this event happen? It knows nothing of messages.
package throttle
