package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	vm "github.com/VictoriaMetrics/metrics"

	"github.com/mrtr-playground/mrtr-playground/playground"
	rounds "github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/usage"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// metrics holds the metrics of this process. Each answers a question of the
// operator; .deploy/README.md lists them. No label has a value that a visitor or
// a server chooses, so their number is bounded.
type metrics struct{ set *vm.Set }

// Names of metrics that are counted.
const (
	refusalsName = "mrtr_refusals_total"
	roundsName   = "mrtr_rounds_total"
	failuresName = "mrtr_round_failures_total"
	serverName   = "mrtr_round_server_duration_seconds"
	ownName      = "mrtr_round_own_duration_seconds"
	requestsName = "mrtr_http_requests_total"
	latencyName  = "mrtr_http_request_duration_seconds"
	changesName  = "mrtr_db_change_duration_seconds"
	faultsName   = "mrtr_db_change_failures_total"
	linesName    = "mrtr_log_lines_total"
	buildName    = "mrtr_build_info"
)

// counted describes the counters and histograms.
var counted = map[string]string{
	refusalsName: "Refused requests by code.",
	roundsName:   "Rounds that ended, by outcome, era of the server, and whether the server is a sample.",
	failuresName: "Rounds that ended without a usable answer, by class.",
	serverName:   "Time of a round from the first byte of the request to the outcome.",
	ownName:      "Time of a round that this program adds: storing and reading.",
	requestsName: "Answered requests of visitors.",
	latencyName:  "Time to answer a request, without event streams.",
	changesName:  "Time of a write transaction, with its wait for other writers.",
	faultsName:   "Write transactions that failed, by cause.",
	linesName:    "Lines of the log by level.",
	buildName:    "Always 1; the labels tell what is running.",
}

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
	m := &metrics{set: vm.NewSet()}
	build := series(buildName, "go_version", runtime.Version(), "revision", revision(), "version", version)
	m.set.NewGauge(build, func() float64 { return 1 })
	m.begin()
	return m
}

// series returns the name of a metric with labels, given as names and values in turn.
func series(name string, labels ...string) string {
	if len(labels) == 0 {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(labels); i += 2 {
		fmt.Fprintf(&b, ",%s=\"%s\"", labels[i], escapeLabel.Replace(labels[i+1]))
	}
	return name + "{" + b.String()[1:] + "}"
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// count counts one event.
func (m *metrics) count(name string, labels ...string) { m.counter(name, labels...).Inc() }

func (m *metrics) counter(name string, labels ...string) *vm.Counter {
	return m.set.GetOrCreateCounter(series(name, labels...))
}

// observe adds a duration to a histogram.
func (m *metrics) observe(took time.Duration, bounds []float64, name string, labels ...string) {
	m.set.GetOrCreatePrometheusHistogramExt(series(name, labels...), bounds).Update(took.Seconds())
}

// begin makes the counters that alarms are set on start at 0. An increase from
// nothing to 1 is none for Prometheus.
func (m *metrics) begin() {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		m.counter(linesName, "level", strings.ToLower(level.String()))
	}
	for _, cause := range []string{causeFull, causeUnavailable} {
		m.counter(faultsName, "cause", cause)
	}
	for _, code := range []string{"calls_in_all", "connections", "disk_full", "internal", "storage"} {
		m.counter(refusalsName, "code", code)
	}
	m.counter(failuresName, "class", string(wire.BlockedAddress), "server", "foreign")
}

// refused counts a refusal.
func (m *metrics) refused(code string) { m.count(refusalsName, "code", code) }

// ended counts a Round and the times of its parts.
func (m *metrics) ended(e rounds.Ended) {
	where, era := "foreign", string(playground.Modern)
	if e.Target.Sample != "" {
		where = "sample"
	}
	if e.Round.Legacy {
		era = string(playground.Legacy)
	}
	m.count(roundsName, "era", era, "outcome", string(e.Round.Kind), "server", where)
	if e.Round.Class != "" {
		m.count(failuresName, "class", string(e.Round.Class), "server", where)
	}
	if e.Round.Kind == playground.OutcomeInterrupted {
		return // nothing was waited for while the program did not run
	}
	server := e.Round.Took()
	m.observe(server, serverBounds, serverName, "server", where)
	m.observe(max(e.Took-server, 0), ownBounds, ownName, "server", where)
}

// served counts an answer to a visitor.
func (m *metrics) served(r web.Served) {
	m.count(requestsName, "method", r.Method, "route", r.Route, "status", strconv.Itoa(r.Status))
	if !r.Stream {
		m.observe(r.Took, pageBounds, latencyName, "method", r.Method, "route", r.Route)
	}
}

// changed counts a change of the database. Refusals, such as a Round that is not
// open any more, are no failures.
func (m *metrics) changed(took time.Duration, err error) {
	m.observe(took, ownBounds, changesName)
	switch {
	case errors.Is(err, playground.ErrFull):
		m.count(faultsName, "cause", causeFull)
	case errors.Is(err, playground.ErrStorage):
		m.count(faultsName, "cause", causeUnavailable)
	}
}

// logged counts a line of the log.
func (m *metrics) logged(level slog.Level) {
	m.count(linesName, "level", strings.ToLower(level.String()))
}

// handler serves the metrics in the text format of Prometheus.
func (m *metrics) handler() http.Handler {
	vm.ExposeMetadata(true)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		var all bytes.Buffer
		m.set.WritePrometheus(&all)
		for line := range strings.Lines(all.String()) {
			name := strings.TrimPrefix(strings.TrimSpace(line), "# HELP ")
			if help := counted[name]; help != "" { // the library writes none
				line = "# HELP " + name + " " + help + "\n"
			}
			_, _ = io.WriteString(w, line)
		}
		vm.WriteProcessMetrics(w)
	})
}

// refusalCounts returns the refusals by code, without codes that nothing was
// refused with.
func (m *metrics) refusalCounts() []usage.Refusal {
	list := []usage.Refusal{}
	for _, name := range m.set.ListMetricNames() {
		code, ok := strings.CutPrefix(name, refusalsName+`{code="`)
		if !ok {
			continue
		}
		if n := int64(m.set.GetOrCreateCounter(name).Get()); n > 0 {
			list = append(list, usage.Refusal{Code: strings.TrimSuffix(code, `"}`), Count: n})
		}
	}
	return list
}
