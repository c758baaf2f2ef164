package records

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count what is written. Their labels are closed lists.
type metrics struct {
	written   *prometheus.CounterVec
	spooled   *prometheus.CounterVec
	refused   prometheus.Counter
	lost      prometheus.Counter
	aside     *prometheus.CounterVec
	damaged   prometheus.Counter
	folded    *prometheus.CounterVec
	dropped   *prometheus.CounterVec
	batchRows prometheus.Histogram
	seconds   *prometheus.HistogramVec
	away      prometheus.Gauge

	foldedBy [len(levelNames)]prometheus.Counter // of folded, looked up once
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func newMetrics() *metrics {
	m := &metrics{
		written: counters("smsd_records_written_total", "Rows that the database has taken, replayed ones among them.", "kind"),
		spooled: counters("smsd_records_spooled_total", "Rows that went to the spool.", "kind"),
		refused: counter("smsd_records_refused_total", "Rows that were not taken, since too many waited."),
		lost:    counter("smsd_records_lost_total", "Rows that were given up when smsd ended, with neither the database nor room in the spool."),
		aside:   counters("smsd_records_set_aside_total", "Rows that the database refuses for what is in them, and that are in the folder aside.", "kind"),
		damaged: counter("smsd_records_spool_damaged_bytes_total", "Bytes of spools that could not be read again."),
		folded:  counters("smsd_records_decisions_folded_total", "Attempts that stand in another one's row, by what the two have in common.", "by"),
		dropped: counters("smsd_records_decisions_dropped_total", "Attempts, whole rows of them, that are in no row.", "reason"),
		batchRows: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "smsd_records_batch_rows", Help: "Rows of a batch.", Buckets: []float64{1, 2, 5, 10, 20, 50, 100, 200, 500},
		}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "smsd_records_write_seconds", Help: "How long a batch took to be on disk.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .25, .5, 1, 5},
		}, []string{"to", "outcome"}),
		away: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "smsd_records_away", Help: "1 while the database takes no rows, or has not yet all that was spooled.",
		}),
	}
	for by, name := range levelNames {
		m.foldedBy[by] = m.folded.WithLabelValues(name)
	}
	return m
}

// register hands everything to r, and gauges that ask b.
func (m *metrics) register(r prometheus.Registerer, b *Book) error {
	if r == nil {
		return nil
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
	}
	var errs []error
	for _, c := range []prometheus.Collector{
		m.written, m.spooled, m.refused, m.lost, m.aside, m.damaged, m.folded, m.dropped, m.batchRows, m.seconds, m.away,
		gauge("smsd_records_queue_rows", "Rows that wait in memory.", func() float64 { return float64(b.queue.len()) }),
		gauge("smsd_records_spool_bytes", "Bytes of the spool's files.", func() float64 { return float64(b.spool.used()) }),
		gauge("smsd_records_spool_batches", "Batches of this run in the spool.", func() float64 { return float64(b.spool.batches.Load()) }),
		gauge("smsd_records_aside_bytes", "Bytes of the files of what was set aside.", func() float64 { return float64(b.aside.used()) }),
	} {
		errs = append(errs, r.Register(c))
	}
	return errors.Join(errs...)
}

// called notes how long a call of the store took.
func (m *metrics) called(begun time.Time, err error) { m.took("database", begun, err) }

func (m *metrics) took(to string, begun time.Time, err error) {
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	m.seconds.WithLabelValues(to, outcome).Observe(time.Since(begun).Seconds())
}

// wrote counts the rows of a batch that the database took: all but those that it refused.
func (m *metrics) wrote(b, refused Batch) {
	b.Verifications = b.Verifications[len(refused.Verifications):]
	b.Changes = b.Changes[len(refused.Changes):]
	b.Handles = b.Handles[len(refused.Handles):]
	b.Decisions = b.Decisions[len(refused.Decisions):]
	count(m.written, b)
}

func count(v *prometheus.CounterVec, b Batch) {
	v.WithLabelValues("verification").Add(float64(len(b.Verifications)))
	v.WithLabelValues("change").Add(float64(len(b.Changes)))
	v.WithLabelValues("handle").Add(float64(len(b.Handles)))
	v.WithLabelValues("decision").Add(float64(len(b.Decisions)))
}
