//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// origin is the public URL of the program in front of the crowd.
const origin = "https://playground.example"

// userHeader is the header in which the proxy names a person.
const userHeader = "X-Remote-User"

// crowd plays the visitors and prints what they saw.
func crowd(ctx context.Context, o options, out io.Writer) error {
	p, public, err := startPublic(ctx, o)
	if err != nil {
		return err
	}
	defer p.stop()
	before, err := p.usage()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d visitors from %d addresses, %v to think, for %v\n",
		o.visitors, o.addresses, o.think, o.time)
	var seen watch
	arriving := o.think // all arrive in this time, so that they do not click in step
	ending := time.Now().Add(arriving + o.time)
	playing, stop := context.WithDeadline(ctx, ending.Add(time.Minute)) // a visitor ends the call it began
	defer stop()
	browsers := make([]*browser, 0, o.visitors)
	began := time.Now()
	cpu, err := p.cpu()
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for i := range o.visitors {
		v := visitor{
			browser: newBrowser(p.url, public, address(i%o.addresses)),
			think:   o.think, seen: &seen,
		}
		if o.people {
			v.person = fmt.Sprintf("person-%d@example.com", i)
		}
		if p.transport != nil { // the proxy sees where the visitor comes from
			v.from = ""
			if v.client.Transport, err = p.transport(i % o.addresses); err != nil {
				return err
			}
		}
		browsers = append(browsers, v.browser)
		all.Go(func() {
			pause(playing, rand.N(arriving))
			for time.Now().Before(ending) && playing.Err() == nil {
				v.play(playing)
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	used, err := p.cpu()
	if err != nil {
		return err
	}
	loaded, err := p.usage()
	if err != nil {
		return err
	}
	seen.print(out, took)
	fmt.Fprintf(out, "processor: %.2f ms a round of the server, %.0f%% of one core\n",
		float64((used-cpu).Microseconds())/1000/float64(max(seen.rounds, 1)),
		100*float64(used-cpu)/float64(took))
	fmt.Fprintf(out, "before:    %v\nloaded:    %v\n", before, loaded)
	for _, b := range browsers {
		b.client.CloseIdleConnections()
	}
	pause(ctx, calm)
	after, err := p.usage()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "after %v: %v\n", calm, after)
	if n := len(seen.errors); n > 0 {
		return fmt.Errorf("%d errors; the first: %w", n, seen.errors[0])
	}
	return ctx.Err()
}

// calm is the time after the crowd in which the program gives its resources back.
const calm = 20 * time.Second

// startPublic starts the program in public mode and returns its public URL.
func startPublic(ctx context.Context, o options, flags ...string) (*program, string, error) {
	if o.replicas {
		p, err := startReplicas(ctx, o, flags)
		if err != nil {
			return nil, "", err
		}
		return p, p.url, nil
	}
	flags = append(flags, "-public", "-base-url", origin, "-trusted-proxy", "127.0.0.0/8")
	if o.people {
		flags = append(flags, "-user-header", userHeader)
	}
	p, err := start(ctx, o, flags...)
	return p, origin, err
}

// address is the i-th address of the crowd, each in a network of its own.
func address(i int) string { return fmt.Sprintf("20.%d.%d.7", i>>8, i&0xff) }

// visitor is one of the crowd.
type visitor struct {
	*browser
	think time.Duration
	seen  *watch
}

// play makes one call from the landing page to its result.
func (v visitor) play(ctx context.Context) {
	var path string
	steps := []struct {
		kind string
		do   func() error
	}{
		{"landing", func() error { return v.open(ctx, "/", `data-start="azure-devops"`) }},
		{"start", func() (err error) { path, err = v.begin(ctx); return err }},
		{"page", func() error { return v.open(ctx, path, firstQuestion) }},
		{"preview", func() error { return v.preview(ctx, path, firstAnswer) }},
		{"round", func() error { return v.answer(ctx, path, firstAnswer, secondQuestion) }},
		{"preview", func() error { return v.preview(ctx, path, secondAnswer) }},
		{"round", func() error { return v.answer(ctx, path, secondAnswer, completed) }},
	}
	for _, step := range steps {
		if step.kind != "page" && step.kind != "landing" {
			pause(ctx, v.thought(step.kind))
		}
		if err := v.seen.time(step.kind, step.do); err != nil {
			pause(ctx, v.think) // a visitor in front of an error waits too
			return
		}
	}
	pause(ctx, v.think)
}

// thought is the time before a step: the half of a click's for the preview and
// for sending the typed answers.
func (v visitor) thought(kind string) time.Duration {
	average := v.think
	if kind != "start" {
		average /= 2
	}
	return average/2 + rand.N(average)
}

// open gets a page, then its assets.
func (v visitor) open(ctx context.Context, path, expected string) error {
	p, err := v.get(ctx, path)
	if err != nil {
		return err
	}
	if err := p.want(http.StatusOK, expected); err != nil {
		return err
	}
	for _, path := range v.assets(p) {
		if err := v.seen.time("asset", func() error {
			asset, err := v.get(ctx, path)
			if err != nil {
				return err
			}
			return asset.want(http.StatusOK, "")
		}); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
