//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// watch has the observations of the visitors.
type watch struct {
	mu     sync.Mutex
	took   map[string][]time.Duration // by kind of request
	rounds int                        // rounds of calls that came back
	errors []error
}

// kinds are the kinds of requests in the order of a call.
var kinds = []string{"landing", "asset", "start", "page", "preview", "round"}

// time does something and notes how long it took, or its error. A kind includes
// the assets of its page.
func (w *watch) time(kind string, do func() error) error {
	began := time.Now()
	err := do()
	took := time.Since(began)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.errors = append(w.errors, fmt.Errorf("%s: %w", kind, err))
		return err
	}
	if w.took == nil {
		w.took = map[string][]time.Duration{}
	}
	w.took[kind] = append(w.took[kind], took)
	if kind == "start" || kind == "round" {
		w.rounds++
	}
	return nil
}

// print prints the times of each kind of request and of all.
func (w *watch) print(out io.Writer, took time.Duration) {
	fmt.Fprintf(out, "%-8s %8s %9s %9s %9s %9s\n", "", "requests", "p50 ms", "p95 ms", "p99 ms", "most ms")
	var all []time.Duration
	for _, kind := range kinds {
		row(out, kind, w.took[kind])
		all = append(all, w.took[kind]...)
	}
	row(out, "all", all)
	fmt.Fprintf(out, "%.1f requests a second, %.1f rounds a second, %d errors\n",
		float64(len(all))/took.Seconds(), float64(w.rounds)/took.Seconds(), len(w.errors))
}

func row(out io.Writer, kind string, list []time.Duration) {
	if len(list) == 0 {
		return
	}
	slices.Sort(list)
	at := func(part float64) float64 {
		i := min(int(part*float64(len(list))), len(list)-1)
		return float64(list[i].Microseconds()) / 1000
	}
	fmt.Fprintf(out, "%-8s %8d %9.1f %9.1f %9.1f %9.1f\n", kind, len(list), at(.5), at(.95), at(.99), at(1))
}
