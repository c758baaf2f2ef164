package bench

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"
)

// written is what a service has written down since its start.
type written struct {
	Rows    float64 // that its database has taken
	Settled float64 // attempts that the log of decisions is done with: they have a row, stand in another one's, or were left out
	Dropped float64 // of those, the ones that were left out
	Away    bool    // the database lacks rows that are in the spool: on a busy machine, for a moment
}

func (w written) minus(v written) written {
	return written{w.Rows - v.Rows, w.Settled - v.Settled, w.Dropped - v.Dropped, w.Away}
}

// written asks what the service has written down; nothing where nobody waits for that.
func (s *service) written() (w written) {
	s.t.Helper()
	if !s.recorded {
		return written{}
	}
	if err := s.get("/metrics", func(answer *http.Response) error {
		lines := bufio.NewScanner(answer.Body)
		for lines.Scan() {
			w.add(lines.Text())
		}
		return lines.Err()
	}); err != nil {
		s.t.Fatal(err)
	}
	return w
}

// add reads one line of the metrics.
func (w *written) add(line string) {
	name, value, _ := strings.Cut(line, " ")
	family, _, _ := strings.Cut(name, "{")
	n := number(value)
	switch {
	case family == "smsd_records_written_total":
		w.Rows += n
		if strings.Contains(name, `"decision"`) {
			w.Settled += n
		}
	case family == "smsd_records_away":
		w.Away = n != 0
	case family == "smsd_records_decisions_folded_total":
		w.Settled += n
	case family == "smsd_records_decisions_dropped_total":
		w.Settled += n
		w.Dropped += n
	}
}

// A few attempts always wait, for others to be written with or for their second to end. Of a round they are little.
const (
	fewWait    = 2 * connections
	shareWaits = 100 // one of so many
)

// settle returns what was written since before when all but a few of n attempts are: so what they cost is spent.
func (s *service) settle(before written, n int) written {
	s.t.Helper()
	enough := float64(n - max(fewWait, n/shareWaits))
	limit := time.Now().Add(patience)
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 400*time.Millisecond) {
		now := s.written().minus(before)
		if !s.recorded || now.Settled >= enough && !now.Away {
			return now
		}
		if time.Now().After(limit) {
			s.t.Fatalf("of %d attempts the log is done with %.0f only; away: %t", n, now.Settled, now.Away)
		}
		time.Sleep(pause) // another process is writing; there is no clock to replace
	}
}

func TestWrittenIsReadFromMetrics(t *testing.T) {
	t.Parallel()
	var got written
	for _, line := range []string{
		"# HELP smsd_records_written_total Rows", `smsd_records_written_total{kind="verification"} 40`, `smsd_records_written_total{kind="change"} 30`,
		`smsd_records_written_total{kind="decision"} 5`, `smsd_records_decisions_folded_total{by="network"} 1e+03`,
		`smsd_records_decisions_dropped_total{reason="full"} 2`, "smsd_records_queue_rows 9", "smsd_records_away 1", "",
	} {
		got.add(line)
	}
	if want := (written{75, 1007, 2, true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
