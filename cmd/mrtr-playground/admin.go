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

// metrics holds the metrics of this process.
type metrics struct {
	registry *prometheus.Registry
	refusals *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{prometheus.NewRegistry(), prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "mrtr_refusals_total", Help: "Refused requests by code.",
	}, []string{"code"})}
	m.registry.MustRegister(
		m.refusals, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// refused counts a refusal.
func (m *metrics) refused(code string) { m.refusals.WithLabelValues(code).Inc() }

// serve serves /metrics on an address of its own until ctx ends, and returns
// the address.
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
	logger.Info("serve metrics", "url", "http://"+listener.Addr().String()+"/metrics")
	return listener.Addr(), nil
}
