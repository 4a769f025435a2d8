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
)

// metrics are what can be measured of this process.
type metrics struct {
	registry *prometheus.Registry
	refusals *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{prometheus.NewRegistry(), prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mrtr_refusals_total", Help: "Requests that were refused, by the code of the refusal.",
	}, []string{"code"})}
	m.registry.MustRegister(
		m.refusals, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// refused counts a refusal; there are few codes.
func (m *metrics) refused(code string) { m.refusals.WithLabelValues(code).Inc() }

// serve serves the metrics at /metrics, on an address of their own that
// strangers need not reach, until ctx ends. It returns where.
func (m *metrics) serve(ctx context.Context, addr string, logger *slog.Logger) (net.Addr, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for -admin: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	server := newServer(mux, defaultRequestLimits())
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }() // ends with ctx
	logger.Info("admin", "metrics", "http://"+listener.Addr().String()+"/metrics")
	return listener.Addr(), nil
}
