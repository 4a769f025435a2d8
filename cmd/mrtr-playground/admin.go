package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/mrtr-playground/mrtr-playground/playground/usage"
)

// metrics holds the metrics of this process.
type metrics struct {
	registry *prometheus.Registry
	refusals *prometheus.CounterVec
}

// refusalsName is the name of the counter of refusals.
const refusalsName = "mrtr_refusals_total"

func newMetrics() *metrics {
	m := &metrics{prometheus.NewRegistry(), prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: refusalsName, Help: "Refused requests by code.",
	}, []string{"code"})}
	m.registry.MustRegister(
		m.refusals, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// refused counts a refusal.
func (m *metrics) refused(code string) { m.refusals.WithLabelValues(code).Inc() }

// handler serves the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// refusalCounts returns the refusals by code.
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
			list = append(list, usage.Refusal{
				Code: one.GetLabel()[0].GetValue(), Count: int64(one.GetCounter().GetValue()),
			})
		}
	}
	return list
}

// serveAdmin serves the admin address until ctx ends, and returns the address.
func serveAdmin(
	ctx context.Context, addr string, h http.Handler, logger *slog.Logger,
) (net.Addr, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for -admin: %w", err)
	}
	server := newServer(h, defaultRequestLimits())
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // ends with ctx
	logger.Info("serve the operator", "url", "http://"+listener.Addr().String()+"/")
	return listener.Addr(), nil
}
