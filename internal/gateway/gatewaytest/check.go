package gatewaytest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// newMessage returns the i-th message. Its code is not to be found in anything by chance.
func newMessage(to phone.Number, i int) gateway.Message {
	if to.IsZero() {
		to = phone.MustParse("+8613800138000")
	}
	code := fmt.Sprintf("73%04d19", i)
	return gateway.Message{
		ID:     fmt.Sprintf("message-%d", i),
		SMSID:  "0b7e7b4c-6f0e-4b6e-9d0c-6d5d3c1f7a11",
		Phone:  to,
		Scene:  "login",
		Locale: "en",
		Text:   secret.New(code + " is your login code. It works for 5 minutes."),
		Code:   secret.New(code),
	}
}

// takes: the carrier accepts, so the driver does.
func takes(b *bench) []string {
	accepted, err := b.driver.Send(b.t.Context(), b.message)
	if err != nil {
		return []string{fmt.Sprintf("the carrier took the message, and Send returned a %T", err)}
	}
	return append(b.told(accepted), b.reached(1, 1)...)
}

// told returns what is wrong with accepted.
func (b *bench) told(accepted gateway.Accepted) []string {
	if leaks(accepted.ProviderID, b.message, b.harness.Secrets) {
		return []string{"the ProviderID holds the number, the code or a credential"}
	}
	return nil
}

// fails: Send returns this error, having reached the carrier at most once (exactly once where the carrier
// could only fail after that).
func fails(reason gateway.Reason, sent gateway.Sent) func(*bench) []string {
	least := int64(0)
	if sent == gateway.MaybeSent {
		least = 1
	}
	return func(b *bench) []string {
		_, err := b.driver.Send(b.t.Context(), b.message)
		found := b.failure(err, reason, sent)
		if b.vendor.Scenario == LostBefore {
			return append(found, b.reached(0, 1)...) // a fake that has no request to read notes none
		}
		return append(found, b.reached(least, 1)...)
	}
}

// failure returns what is wrong with err as the error of a message of that reason and Sent.
func (b *bench) failure(err error, reason gateway.Reason, sent gateway.Sent) []string {
	if err == nil {
		return []string{fmt.Sprintf("Send returned no error, want %s, %s", reason, sent)}
	}
	found := leaking(err, b.message, b.harness.Secrets)
	e, ok := err.(*gateway.Error)
	if !ok || e == nil {
		return append(found, fmt.Sprintf("Send returned a %T, want a *gateway.Error, not wrapped and not nil", err))
	}
	if e.Reason != reason || e.Sent != sent {
		found = append(found, fmt.Sprintf("Send says %s, %s; want %s, %s", e.Reason, e.Sent, reason, sent))
	}
	if e.RetryAfter < 0 {
		found = append(found, fmt.Sprintf("RetryAfter is %s", e.RetryAfter))
	}
	return found
}

// reached says if the carrier was reached less often or more often.
func (b *bench) reached(least, most int64) []string {
	if n := b.vendor.sends.Load(); n < least || n > most {
		return []string{fmt.Sprintf("the carrier was reached %d times, want %d to %d", n, least, most)}
	}
	return nil
}

// endsWithItsContext: the carrier has the message and is silent, the context ends, and so does Send.
func endsWithItsContext(b *bench) []string {
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := b.driver.Send(ctx, b.message)
		done <- err
	}()
	select {
	case err := <-done:
		return []string{fmt.Sprintf("Send did not wait for the carrier and returned a %T", err)}
	case <-b.vendor.arrived:
	case <-time.After(patience):
		return []string{"the message did not reach the carrier"}
	}
	cancel()
	select {
	case err := <-done:
		return append(b.failure(err, gateway.Ambiguous, gateway.MaybeSent), b.reached(1, 1)...)
	case <-time.After(b.pace.notice):
		return []string{"Send goes on though its context has ended"}
	}
}

// doesNotStart: with a context that has ended there is an error, and it is true.
func doesNotStart(b *bench) []string {
	ctx, cancel := context.WithCancel(b.t.Context())
	cancel()
	_, err := b.driver.Send(ctx, b.message)
	if err == nil {
		return []string{"Send succeeded though its context had ended before"}
	}
	found := leaking(err, b.message, b.harness.Secrets)
	if e, ok := err.(*gateway.Error); ok && e != nil && e.Sent == gateway.NotSent {
		return append(found, b.reached(0, 0)...)
	}
	return append(found, b.reached(0, 1)...)
}

// takesManyAtOnce: 64 messages from 8 callers, each accepted once under an id of its own.
func takesManyAtOnce(b *bench) []string {
	const callers, each = 8, 8
	ids, failed := make(chan string, callers*each), make(chan string, callers*each)
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				accepted, err := b.driver.Send(b.t.Context(), b.harness.message(c*each+i))
				if err != nil {
					failed <- fmt.Sprintf("the carrier took the message, and Send returned a %T", err)
				}
				ids <- accepted.ProviderID
			}
		})
	}
	all.Wait()
	close(ids)
	close(failed)
	var found []string
	for fault := range failed {
		found = append(found, fault)
	}
	if len(found) == 0 && repeats(ids) {
		found = append(found, "two messages were accepted under one ProviderID")
	}
	return append(found, b.reached(callers*each, callers*each)...)
}

// repeats reports whether an id that is not empty comes twice.
func repeats(ids <-chan string) bool {
	seen := make(map[string]bool)
	for id := range ids {
		if id != "" && seen[id] {
			return true
		}
		seen[id] = true
	}
	return false
}
