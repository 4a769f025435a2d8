package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"
)

// gauges are the metrics that are read when they are asked for.
type gauges struct{ service *service }

// scrapeTime is how long the database may take to say how much is stored.
const scrapeTime = 2 * time.Second

// family is a metric that is read, with its values.
type family struct {
	name, kind, help string
	values           bytes.Buffer
}

// families returns the metrics that are read, without values, in the order in which
// they are written.
func families() []*family {
	gauge := func(name, help string) *family { return &family{name: name, kind: "gauge", help: help} }
	total := func(name, help string) *family { return &family{name: name, kind: "counter", help: help} }
	return []*family{
		gauge(draining, "1 while the program stops, else 0."),
		gauge(running, "Calls and connections that something is done for."),
		gauge(polls, "Polls of tasks at servers other than the samples."),
		gauge(poolUsed, "Places that are taken of a pool."),
		gauge(poolLimit, "Places of a pool."),
		gauge(queueUsed, "Requests that wait for a place of a pool."),
		gauge(queueLimit, "Places in the queue of a pool."),
		gauge(sampleUsed, "Places that are taken of a pool of a sample."),
		gauge(sampleLimit, "Places of a pool of a sample."),
		gauge(dbUp, "1 if the database said how much is stored, else 0."),
		gauge(dbUsed, "Bytes stored in all."),
		gauge(dbFree, "Bytes of the SQLite file that are not in use."),
		gauge(dbLimit, "The limit storage, in public mode."),
		gauge(workspaces, "Workspaces that are stored."),
		gauge(dbOpen, "Open connections to the database."),
		gauge(dbInUse, "Connections that run a statement."),
		gauge(dbMost, "Connections that may be open."),
		total(dbWaits, "Requests that waited for a connection."),
		total(dbWaited, "Time that they waited, in all."),
	}
}

// Names of metrics that are read.
const (
	draining    = "mrtr_draining"
	running     = "mrtr_running_logs"
	polls       = "mrtr_open_polls"
	poolUsed    = "mrtr_pool_used"
	poolLimit   = "mrtr_pool_limit"
	queueUsed   = "mrtr_pool_queue_used"
	queueLimit  = "mrtr_pool_queue_limit"
	sampleUsed  = "mrtr_sample_pool_used"
	sampleLimit = "mrtr_sample_pool_limit"
	dbUp        = "mrtr_db_up"
	dbUsed      = "mrtr_db_used_bytes"
	dbFree      = "mrtr_db_free_bytes"
	dbLimit     = "mrtr_db_limit_bytes"
	workspaces  = "mrtr_workspaces"
	dbOpen      = "mrtr_db_connections_open"
	dbInUse     = "mrtr_db_connections_used"
	dbMost      = "mrtr_db_connections_limit"
	dbWaits     = "mrtr_db_waits_total"
	dbWaited    = "mrtr_db_wait_seconds_total"
)

// setter sets a value of a metric, with labels as series has them.
type setter func(name string, value float64, labels ...string)

// write reads the metrics and writes them in the text format of Prometheus, which has
// the values of one metric together.
func (g gauges) write(w io.Writer) {
	list := families()
	byName := map[string]*family{}
	for _, f := range list {
		byName[f.name] = f
	}
	g.collect(func(name string, value float64, labels ...string) {
		shown := strconv.FormatFloat(value, 'g', -1, 64)
		fmt.Fprintf(&byName[name].values, "%s %s\n", series(name, labels...), shown)
	})
	for _, f := range list {
		if f.values.Len() > 0 {
			fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s", f.name, f.help, f.name, f.kind, &f.values)
		}
	}
}

// collect sets the metrics as they are now.
func (g gauges) collect(set setter) {
	set(draining, oneIf(g.service.draining.Load()))
	logs, open := g.service.runner.Running()
	set(running, float64(logs))
	set(polls, float64(open))
	for _, p := range append(g.service.site.Places(), g.service.connections()) {
		set(poolUsed, float64(p.Used), "pool", p.Pool)
		set(poolLimit, float64(p.Limit), "pool", p.Pool)
		if p.Queue > 0 {
			set(queueUsed, float64(p.Waiting), "pool", p.Pool)
			set(queueLimit, float64(p.Queue), "pool", p.Pool)
		}
	}
	for _, p := range g.service.samples.PlaceCounts() {
		set(sampleUsed, float64(p.Used), "pool", p.Pool, "sample", p.Sample)
		set(sampleLimit, float64(p.Limit), "pool", p.Pool, "sample", p.Sample)
	}
	g.database(set)
}

// database sets the metrics of the database.
func (g gauges) database(set setter) {
	ctx, stop := context.WithTimeout(context.Background(), scrapeTime)
	defer stop()
	size, err := g.service.store.Size(ctx)
	set(dbUp, oneIf(err == nil))
	if err == nil {
		set(dbUsed, float64(size.Used))
		set(dbFree, float64(size.Free))
		set(workspaces, float64(size.Workspaces))
	}
	if g.service.mode.Shared() {
		set(dbLimit, float64(g.service.limits.pages.Storage))
	}
	for _, c := range g.service.store.Connections() {
		set(dbOpen, float64(c.Open), "pool", c.Pool)
		set(dbInUse, float64(c.Used), "pool", c.Pool)
		set(dbMost, float64(c.Limit), "pool", c.Pool)
		set(dbWaits, float64(c.Waits), "pool", c.Pool)
		set(dbWaited, c.Waited.Seconds(), "pool", c.Pool)
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
