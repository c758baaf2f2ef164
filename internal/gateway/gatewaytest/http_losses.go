package gatewaytest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"

	"smsd/internal/gateway"
)

// lossy is the scenario of a carrier that loses its answers wherever it comes to.
const lossy Scenario = "lossy"

// losses is how many messages lose their answers in [losesAtRandom].
const losses = 1000

// A fate is what becomes of one message and its answer.
type fate struct {
	reads, takes, answers bool
	// cut, of 1, is where in the answer the connection ends.
	cut float64
	// reset ends it with a reset in place of a farewell.
	reset bool
}

func (f fate) String() string {
	return fmt.Sprintf("read %v, taken %v, answered %v up to %.2f, reset %v", f.reads, f.takes, f.answers, f.cut, f.reset)
}

// draw returns a fate. One in five answers are whole, so that connections are kept and break at the next message.
func draw(random *rand.Rand) fate {
	point := random.IntN(5)
	f := fate{reads: point > 0, takes: point > 1, answers: point > 2, cut: 1, reset: random.IntN(2) == 0}
	if point == 3 {
		f.cut = random.Float64()
	}
	return f
}

// whole reports whether the answer comes whole, and its connection stays.
func (f fate) whole() bool { return f.answers && f.cut == 1 }

// lot is the fate of the message that is being sent, and what was seen of it. Safe for concurrent use.
type lot struct {
	mu             sync.Mutex
	fate           fate
	arrived, taken int
}

func (l *lot) next(f fate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fate, l.arrived, l.taken = f, 0, 0
}

func (l *lot) arrives() fate {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.arrived++
	return l.fate
}

func (l *lot) takes() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken++
}

// faults returns what is wrong with err as the end of a Send. Of what has arrived a driver without an answer knows nothing.
func (l *lot) faults(err error) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, _ := err.(*gateway.Error)
	switch {
	case l.arrived > 1:
		return []string{fmt.Sprintf("one Send reached the carrier %d times", l.arrived)}
	case err == nil && l.taken == 0:
		return []string{"Send reports a message as accepted that the carrier never took"}
	case err != nil && e == nil:
		return []string{fmt.Sprintf("Send returned a %T, want a *gateway.Error, not wrapped and not nil", err)}
	case err != nil && e.Sent == gateway.NotSent && l.arrived > 0:
		return []string{"Send reports as not sent what reached the carrier and was not refused"}
	}
	return nil
}

// losesAtRandom: whatever becomes of an answer, the message is sent once, and not taken for one that was not sent.
func losesAtRandom(b *bench) []string {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, seed))
	for i := range losses {
		f, m := draw(random), b.harness.message(i)
		b.vendor.lot.next(f)
		err := b.sendInTime(m)
		found := append(b.vendor.lot.faults(err), leaking(err, m, b.harness.Secrets)...)
		if len(found) > 0 {
			return append(found, fmt.Sprintf("message %d of seed %d, %s", i, seed, f))
		}
	}
	return nil
}

// sendInTime returns what Send says.
func (b *bench) sendInTime(m gateway.Message) error {
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	_, err := b.driver.Send(ctx, m)
	return err
}

// loses lets the message that has come meet its fate.
func (s *stand) loses(w http.ResponseWriter, r *http.Request) {
	f := s.vendor.lot.arrives()
	if f.reads {
		_ = received(r)
	}
	var answer []byte
	if f.takes {
		recorded := s.take(r)
		s.vendor.lot.takes()
		if f.whole() {
			copyAnswer(w, recorded)
			return
		}
		answer = onTheWire(recorded)
	}
	if !f.answers {
		answer = nil
	}
	raw(w, answer[:int(f.cut*float64(len(answer)))], f.reset)
}

// copyAnswer writes what was recorded.
func copyAnswer(w http.ResponseWriter, recorded *httptest.ResponseRecorder) {
	for name, values := range recorded.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(recorded.Code)
	_, _ = w.Write(recorded.Body.Bytes())
}

// onTheWire returns the bytes of what was recorded.
func onTheWire(recorded *httptest.ResponseRecorder) []byte {
	answer := recorded.Result()
	answer.ContentLength = int64(recorded.Body.Len())
	answer.Header.Set("Content-Length", strconv.Itoa(recorded.Body.Len()))
	var wire bytes.Buffer
	_ = answer.Write(&wire) // a buffer takes all
	return wire.Bytes()
}
