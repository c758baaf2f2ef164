package gatewaytest

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"smsd/internal/gateway"
)

// readsInBounds: an answer without an end tells nothing, and is not read to its end.
func readsInBounds(b *bench) []string {
	found := fails(gateway.Ambiguous, gateway.MaybeSent)(b)
	if b.vendor.swallowed.Load() {
		found = append(found, "the driver reads an answer without bounds")
	}
	return found
}

// maySucceed: the driver reads the answer, or else can't tell.
func maySucceed(b *bench) []string {
	accepted, err := b.driver.Send(b.t.Context(), b.message)
	if err != nil {
		return append(b.failure(err, gateway.Ambiguous, gateway.MaybeSent), b.reached(1, 1)...)
	}
	return append(b.told(accepted), b.reached(1, 1)...)
}

// staysHere: a redirect is not followed, since nobody has chosen the host that it names, and the message is not accepted. By 307
// and 308 a carrier says that it has not carried the request out, and a driver may believe it.
func staysHere(b *bench) []string {
	_, err := b.driver.Send(b.t.Context(), b.message)
	var found []string
	if n := b.vendor.strayed.Load(); n != 0 {
		found = append(found, fmt.Sprintf("%d requests followed a redirect to another host", n))
	}
	moved := b.vendor.Scenario == "307" || b.vendor.Scenario == "308"
	if e, ok := err.(*gateway.Error); ok && e != nil && e.Sent == gateway.NotSent && moved {
		return append(append(found, leaking(err, b.message, b.harness.Secrets)...), b.reached(1, 1)...)
	}
	return append(append(found, b.failure(err, gateway.Ambiguous, gateway.MaybeSent)...), b.reached(1, 1)...)
}

// slow is the scenario of an answer that takes most of a try's time.
const slow Scenario = "slow"

// slowAnswer is most of [gateway.DefaultTryTimeout]. It does pass, but for a driver that has given up before.
const slowAnswer = gateway.DefaultTryTimeout * 4 / 5

// takesInTime: an answer is worth waiting for as long as the context lasts.
func takesInTime(b *bench) []string {
	ctx, cancel := context.WithTimeout(b.t.Context(), b.pace.slow+patience)
	defer cancel()
	accepted, err := b.driver.Send(ctx, b.message)
	if err != nil {
		return []string{fmt.Sprintf("the answer came after %s, and Send had given up with a %T", b.pace.slow, err)}
	}
	return append(b.told(accepted), b.reached(1, 1)...)
}

func (s *stand) answerLate(w http.ResponseWriter, r *http.Request) {
	answer := s.take(r)
	late := time.NewTimer(s.vendor.slow)
	defer late.Stop()
	select {
	case <-late.C:
		copyAnswer(w, answer)
	case <-r.Context().Done():
	}
}
