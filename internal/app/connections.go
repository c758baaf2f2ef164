package app

import (
	"cmp"
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
)

const (
	// maxAdminConnections are for scrapers, operators and the long polls of test suites.
	maxAdminConnections = 1024
	// keptFiles are open files that clients' connections leave to the rest: calls to carriers, a hundred or two at a busy time; the
	// pools of Redis and the database, ten for each core or server; the operators' listener; files. So a flood of connections stops
	// no message that is on its way.
	keptFiles = 512
)

// publicListener is that of the clients.
func publicListener(c config.HTTP) *listener {
	most := clientsOf(c)
	return &listener{
		name: "http.listen", label: "public", most: most, more: "raise http.max_connections, or the limit on open files",
		perAddress: perAddressOf(c, most), trusted: c.TrustedProxies,
	}
}

// clientsOf is how many connections clients may have at one time.
func clientsOf(c config.HTTP) int {
	return clientsAmong(openFiles(), cmp.Or(c.MaxConnections, config.DefaultMaxConnections))
}

func clientsAmong(files, most int) int { return min(max(files-keptFiles, files/2, 1), most) }

// registerConnections has metrics tell how many connections each listener has, and may have.
func (a *App) registerConnections() error {
	var errs []error
	for _, l := range []*listener{a.public, a.admin} {
		labels := prometheus.Labels{"listener": l.label}
		errs = append(errs,
			a.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "smsd_http_connections", Help: "Open connections of clients.", ConstLabels: labels,
			}, func() float64 { return float64(l.open.Load()) })),
			a.registry.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "smsd_http_connections_limit", Help: "How many connections clients may have at one time; more wait.", ConstLabels: labels,
			}, func() float64 { return float64(l.most) })),
			a.registry.Register(prometheus.NewCounterFunc(prometheus.CounterOpts{
				Name: "smsd_http_connections_refused_total", Help: "Connections closed at once, since their address had as many as one may.", ConstLabels: labels,
			}, func() float64 { return float64(l.refused.Load()) })))
	}
	return errors.Join(errs...)
}
