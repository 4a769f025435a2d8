package main

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// metrics holds the metrics of this process. Each answers a question of the
// operator; .deploy/README.md lists them. No label has a value that a visitor or
// a server chooses, so their number is bounded.
type metrics struct {
	registry *prometheus.Registry

	refusals, rounds, failures, requests, faults, lines *prometheus.CounterVec
	server, own, latency                                *prometheus.HistogramVec
	changes                                             prometheus.Histogram
}

// refusalsName is the name of the counter of refusals.
const refusalsName = "mrtr_refusals_total"

// Causes of mrtr_db_change_failures_total.
const (
	causeFull        = "full"
	causeUnavailable = "unavailable"
)

// Upper bounds of histograms, in seconds.
var (
	serverBounds = []float64{.005, .025, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}
	ownBounds    = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5}
	pageBounds   = []float64{.0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
)

func newMetrics() *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, bounds []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(
			prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		refusals: counter(refusalsName, "Refused requests by code.", "code"),
		rounds: counter("mrtr_rounds_total",
			"Rounds that ended, by outcome, era of the server, and whether the server is a sample.",
			"outcome", "era", "server"),
		failures: counter("mrtr_round_failures_total",
			"Rounds that ended without a usable answer, by class.", "class", "server"),
		server: histogram("mrtr_round_server_duration_seconds",
			"Time of a round from the first byte of the request to the outcome.", serverBounds, "server"),
		own: histogram("mrtr_round_own_duration_seconds",
			"Time of a round that this program adds: storing and reading.", ownBounds, "server"),
		requests: counter("mrtr_http_requests_total", "Answered requests of visitors.",
			"method", "route", "status"),
		latency: histogram("mrtr_http_request_duration_seconds",
			"Time to answer a request, without event streams.", pageBounds, "method", "route"),
		changes: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "mrtr_db_change_duration_seconds",
			Help:    "Time of a write transaction, with its wait for other writers.",
			Buckets: ownBounds,
		}),
		faults: counter("mrtr_db_change_failures_total",
			"Write transactions that failed, by cause.", "cause"),
		lines: counter("mrtr_log_lines_total", "Lines of the log by level.", "level"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "mrtr_build_info", Help: "Always 1; the labels tell what is running.",
		ConstLabels: prometheus.Labels{
			"version": version, "revision": revision(), "go_version": runtime.Version(),
		},
	})
	build.Set(1)
	m.registry.MustRegister(
		m.refusals, m.rounds, m.failures, m.server, m.own, m.requests, m.latency, m.changes, m.faults,
		m.lines, build, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	m.begin()
	return m
}

// begin makes the counters that alarms are set on start at 0. An increase from
// nothing to 1 is none for Prometheus.
func (m *metrics) begin() {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		m.lines.WithLabelValues(strings.ToLower(level.String()))
	}
	for _, cause := range []string{causeFull, causeUnavailable} {
		m.faults.WithLabelValues(cause)
	}
	for _, code := range []string{"calls_in_all", "connections", "disk_full", "internal", "storage"} {
		m.refusals.WithLabelValues(code)
	}
	m.failures.WithLabelValues(string(wire.BlockedAddress), "foreign")
}

// refused counts a refusal.
func (m *metrics) refused(code string) { m.refusals.WithLabelValues(code).Inc() }

// ended counts a Round and what its parts took.
func (m *metrics) ended(e rounds.Ended) {
	where, era := "foreign", string(playground.Modern)
	if e.Target.Sample != "" {
		where = "sample"
	}
	if e.Round.Legacy {
		era = string(playground.Legacy)
	}
	m.rounds.WithLabelValues(string(e.Round.Kind), era, where).Inc()
	if e.Round.Class != "" {
		m.failures.WithLabelValues(string(e.Round.Class), where).Inc()
	}
	if e.Round.Kind == playground.OutcomeInterrupted {
		return // nothing was waited for while the program did not run
	}
	server := e.Round.Took()
	m.server.WithLabelValues(where).Observe(server.Seconds())
	m.own.WithLabelValues(where).Observe(max(e.Took-server, 0).Seconds())
}

// served counts an answer to a visitor.
func (m *metrics) served(r web.Served) {
	m.requests.WithLabelValues(r.Method, r.Route, strconv.Itoa(r.Status)).Inc()
	if !r.Stream {
		m.latency.WithLabelValues(r.Method, r.Route).Observe(r.Took.Seconds())
	}
}

// changed counts a change of the database. Refusals, such as a Round that is not
// open any more, are no failures.
func (m *metrics) changed(took time.Duration, err error) {
	m.changes.Observe(took.Seconds())
	switch {
	case errors.Is(err, playground.ErrFull):
		m.faults.WithLabelValues(causeFull).Inc()
	case errors.Is(err, playground.ErrStorage):
		m.faults.WithLabelValues(causeUnavailable).Inc()
	}
}

// logged counts a line of the log.
func (m *metrics) logged(level slog.Level) {
	m.lines.WithLabelValues(strings.ToLower(level.String())).Inc()
}

// handler serves the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// refusalCounts returns the refusals by code, without codes that nothing was
// refused with.
func (m *metrics) refusalCounts() []usage.Refusal {
	families, err := m.registry.Gather()
	if err != nil {
		return nil
	}
	list := []usage.Refusal{}
	for _, f := range families {
		if f.GetName() != refusalsName {
			continue
		}
		for _, one := range f.GetMetric() {
			if n := int64(one.GetCounter().GetValue()); n > 0 {
				list = append(list, usage.Refusal{Code: one.GetLabel()[0].GetValue(), Count: n})
			}
		}
	}
	return list
}
