package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mrtr-playground/mrtr-playground/web"
)

// gauges are the metrics that are read when they are asked for.
type gauges struct{ app *app }

// scrapeTime is how long the database may take to say how much is stored.
const scrapeTime = 2 * time.Second

// gauge describes a metric that is read.
func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	draining   = gauge("mrtr_draining", "1 while the program stops, else 0.")
	running    = gauge("mrtr_running_logs", "Calls and connections that something is done for.")
	polls      = gauge("mrtr_open_polls", "Polls of tasks at servers other than the samples.")
	poolUsed   = gauge("mrtr_pool_used", "Places that are taken of a pool.", "pool")
	poolLimit  = gauge("mrtr_pool_limit", "Places of a pool.", "pool")
	queueUsed  = gauge("mrtr_pool_queue_used", "Requests that wait for a place of a pool.", "pool")
	queueLimit = gauge("mrtr_pool_queue_limit", "Places in the queue of a pool.", "pool")

	sampleUsed = gauge(
		"mrtr_sample_pool_used", "Places that are taken of a pool of a sample.", "pool", "sample",
	)
	sampleLimit = gauge("mrtr_sample_pool_limit", "Places of a pool of a sample.", "pool", "sample")

	dbUp         = gauge("mrtr_db_up", "1 if the database said how much is stored, else 0.")
	dbUsed       = gauge("mrtr_db_used_bytes", "Bytes stored in all.")
	dbFree       = gauge("mrtr_db_free_bytes", "Bytes of the SQLite file that are not in use.")
	dbLimit      = gauge("mrtr_db_limit_bytes", "The limit storage, in public mode.")
	workspaces   = gauge("mrtr_workspaces", "Workspaces that are stored.")
	dbOpen       = gauge("mrtr_db_connections_open", "Open connections to the database.", "pool")
	dbInUse      = gauge("mrtr_db_connections_used", "Connections that run a statement.", "pool")
	dbMost       = gauge("mrtr_db_connections_limit", "Connections that may be open.", "pool")
	dbWaits      = gauge("mrtr_db_waits_total", "Requests that waited for a connection.", "pool")
	dbWaited     = gauge("mrtr_db_wait_seconds_total", "Time that they waited, in all.", "pool")
	descriptions = []*prometheus.Desc{
		draining, running, polls, poolUsed, poolLimit, queueUsed, queueLimit, sampleUsed, sampleLimit,
		dbUp, dbUsed, dbFree, dbLimit, workspaces, dbOpen, dbInUse, dbMost, dbWaits, dbWaited,
	}
)

// Describe sends what the metrics are called.
func (g gauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		out <- d
	}
}

// Collect sends the metrics as they are now.
func (g gauges) Collect(out chan<- prometheus.Metric) {
	set := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	set(draining, oneIf(g.app.draining.Load()))
	logs, open := g.app.runner.Running()
	set(running, float64(logs))
	set(polls, float64(open))
	for _, p := range append(g.app.site.Places(), g.app.connections()) {
		set(poolUsed, float64(p.Used), p.Pool)
		set(poolLimit, float64(p.Limit), p.Pool)
		if p.Queue > 0 {
			set(queueUsed, float64(p.Waiting), p.Pool)
			set(queueLimit, float64(p.Queue), p.Pool)
		}
	}
	for _, p := range g.app.samples.PlaceCounts() {
		set(sampleUsed, float64(p.Used), p.Pool, p.Sample)
		set(sampleLimit, float64(p.Limit), p.Pool, p.Sample)
	}
	g.database(out, set)
}

// database sends the metrics of the database.
func (g gauges) database(
	out chan<- prometheus.Metric, set func(d *prometheus.Desc, value float64, labels ...string),
) {
	ctx, stop := context.WithTimeout(context.Background(), scrapeTime)
	defer stop()
	size, err := g.app.store.Size(ctx)
	set(dbUp, oneIf(err == nil))
	if err == nil {
		set(dbUsed, float64(size.Used))
		set(dbFree, float64(size.Free))
		set(workspaces, float64(size.Workspaces))
	}
	if g.app.mode == web.Public {
		set(dbLimit, float64(g.app.limits.pages.Storage))
	}
	total := func(d *prometheus.Desc, value float64, pool string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, pool)
	}
	for _, c := range g.app.store.Connections() {
		set(dbOpen, float64(c.Open), c.Pool)
		set(dbInUse, float64(c.Used), c.Pool)
		set(dbMost, float64(c.Limit), c.Pool)
		total(dbWaits, float64(c.Waits), c.Pool)
		total(dbWaited, c.Waited.Seconds(), c.Pool)
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
