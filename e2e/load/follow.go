//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A talk of the load is the story azure-devops, played by a presenter who shows a step
// every pace.
const (
	talkStory = "/demos/azure-devops"
	talkSteps = 6
	pace      = 700 * time.Millisecond
)

// follow measures the steps of a presenter alone and before followers, turn by turn in
// one run, and how long the followers wait for each. At the end the program, or one of
// several, is killed in the middle of a talk.
func follow(ctx context.Context, o options, out io.Writer) error {
	p, public, err := startPublic(ctx, o, "-limit", "calls=100000/1m", "-limit", "pages=100000/1m")
	if err != nil {
		return err
	}
	defer p.stop()
	hall := hall{program: p, public: public, followers: o.followers}
	var alone, before, waits []time.Duration
	for range o.turns {
		empty, err := hall.present(ctx)
		if err != nil {
			return err
		}
		if err := empty.play(ctx); err != nil {
			return err
		}
		full, err := hall.present(ctx)
		if err != nil {
			return err
		}
		if err := errors.Join(full.fill(ctx), full.play(ctx)); err != nil {
			return err
		}
		full.leave()
		alone, before, waits = append(alone, empty.rounds...), append(before, full.rounds...),
			append(waits, full.waits...)
	}
	fmt.Fprintf(out, "%d followers of one talk, from one address; %d steps alone and as many before them\n",
		o.followers, len(alone))
	fmt.Fprintf(out, "%-8s %8s %9s %9s %9s %9s\n", "", "", "p50 ms", "p95 ms", "p99 ms", "most ms")
	row(out, "alone", slices.Clone(alone))
	row(out, "before", slices.Clone(before))
	row(out, "waits", waits)
	fmt.Fprintf(out, "ratio: a step before followers takes the presenter %.2f times as long as alone\n",
		ratio(before, alone))
	return hall.kill(ctx, out)
}

// kill plays a step, kills the program of the presenter, starts it again, and waits until
// all followers see the next step.
func (h hall) kill(ctx context.Context, out io.Writer) error {
	t, err := h.present(ctx)
	if err != nil {
		return err
	}
	defer t.leave()
	if err := errors.Join(t.fill(ctx), t.step(ctx, 2)); err != nil {
		return err
	}
	if err := h.program.restart(); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	back := time.Now()
	if err := t.step(ctx, 3); err != nil {
		return err
	}
	fmt.Fprintf(out, "after a kill -9, all %d followers see the next step %.1f s after the program listens\n",
		h.followers, time.Since(back).Seconds())
	return nil
}

// hall is where talks are given.
type hall struct {
	program   *program
	public    string
	followers int
}

// talk is one talk with its measurements.
type talk struct {
	hall
	presenter *browser
	path      string // of its stage
	code      string // path of its followers
	seen      chan sighting
	full      bool // followers are there
	leave     func()
	rounds    []time.Duration // of the presenter: from a click until the page is there
	waits     []time.Duration // of the followers: from the same click until the step is there
}

// sighting is a step that a follower has got.
type sighting struct {
	follower, step int
	at             time.Time
	err            error
}

// visitor returns a browser at an address.
func (h hall) visitor(i int) (*browser, error) {
	b := newBrowser(h.program.url, h.public, address(i))
	if h.program.transport == nil {
		return b, nil
	}
	b.from = ""
	var err error
	b.client.Transport, err = h.program.transport(i)
	return b, err
}

// present starts a talk.
func (h hall) present(ctx context.Context) (*talk, error) {
	b, err := h.visitor(1)
	if err != nil {
		return nil, err
	}
	t := &talk{hall: h, presenter: b, seen: make(chan sighting, 4*h.followers), leave: func() {}}
	p, err := b.post(ctx, talkStory, url.Values{}, false)
	if err == nil {
		err = p.want(http.StatusSeeOther, "")
	}
	if err != nil {
		return nil, err
	}
	t.path, _, _ = strings.Cut(strings.TrimPrefix(p.location, h.public), "?")
	if _, err = b.post(ctx, t.path+"/talk", url.Values{"do": {"start"}}, false); err != nil {
		return nil, err
	}
	if p, err = b.get(ctx, t.path+"/talk"); err != nil {
		return nil, err
	}
	_, rest, ok := strings.Cut(p.text, h.public+"/follow/")
	if !ok {
		return nil, fmt.Errorf("no link for followers in %.300q", p.text)
	}
	code, _, _ := strings.Cut(rest, `"`)
	t.code = "/follow/" + code
	return t, nil
}

// fill lets the followers in, and returns when all see the first step.
func (t *talk) fill(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	t.full = true
	var all sync.WaitGroup
	t.leave = func() { stop(); all.Wait() }
	for i := range t.followers {
		b, err := t.visitor(0)
		if err != nil {
			return err
		}
		all.Go(func() {
			defer b.client.CloseIdleConnections()
			pause(ctx, rand.N(time.Second)) // not all scan the code in one moment
			for last := ""; ctx.Err() == nil; {
				if err := t.listen(ctx, b, i, &last); err != nil && ctx.Err() == nil {
					t.seen <- sighting{err: err}
					return
				}
				pause(ctx, 500*time.Millisecond+rand.N(time.Second)) // as the page does
			}
		})
	}
	_, err := t.await(ctx, 1, time.Now())
	return err
}

// listen reads an event stream until it ends. last is the newest event of the follower.
// An error is one that a page would show; without a program, a page tries again.
func (t *talk) listen(ctx context.Context, b *browser, follower int, last *string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+t.code+"/events", nil)
	if err != nil {
		return err
	}
	req.Host = b.host
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Last-Event-ID", *last)
	if b.from != "" {
		req.Header.Set("X-Forwarded-For", b.from)
	}
	res, err := b.client.Do(req)
	if err != nil {
		return nil
	}
	defer res.Body.Close()
	if res.StatusCode >= 500 {
		return nil
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("follower %d: status %d", follower, res.StatusCode)
	}
	lines := bufio.NewReaderSize(res.Body, 64<<10)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			*last = strings.TrimSpace(id)
		}
		if _, rest, ok := strings.Cut(line, `data-step="`); ok {
			digits, _, _ := strings.Cut(rest, `"`)
			step, err := strconv.Atoi(digits)
			t.seen <- sighting{follower, step, time.Now(), err}
		}
	}
}

// play plays the talk to its end.
func (t *talk) play(ctx context.Context) error {
	for step := 2; step <= talkSteps; step++ {
		next := time.Now().Add(pace)
		if err := t.step(ctx, step); err != nil {
			return err
		}
		pause(ctx, time.Until(next))
	}
	return ctx.Err()
}

// step plays one step, as the script of the page does, and waits until all followers
// have it.
func (t *talk) step(ctx context.Context, step int) error {
	began := time.Now()
	p, err := t.presenter.post(ctx, t.path, url.Values{"do": {"next"}, "step": {fmt.Sprint(step - 1)}}, false)
	if err != nil {
		return err
	}
	if err := p.want(http.StatusSeeOther, ""); err != nil {
		return err
	}
	p, err = t.presenter.get(ctx, strings.TrimPrefix(p.location, t.public))
	if err == nil {
		err = p.want(http.StatusOK, fmt.Sprintf(`data-step="%d"`, step))
	}
	if err != nil {
		return err
	}
	t.rounds = append(t.rounds, time.Since(began))
	waits, err := t.await(ctx, step, began)
	t.waits = append(t.waits, waits...)
	return err
}

// await returns how long each follower has waited for a step, once all have it.
func (t *talk) await(ctx context.Context, step int, began time.Time) ([]time.Duration, error) {
	var waits []time.Duration
	if !t.full {
		return nil, nil
	}
	for has := map[int]bool{}; len(has) < t.followers; {
		select {
		case s := <-t.seen:
			if s.err != nil {
				return nil, s.err
			}
			if s.step == step && !has[s.follower] {
				has[s.follower] = true
				waits = append(waits, s.at.Sub(began))
			}
		case <-time.After(time.Minute):
			return nil, fmt.Errorf("step %d: only %d of %d followers have it", step, len(has), t.followers)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return waits, nil
}

// ratio returns how many times as long the steps of a talk take as the same steps of
// others: of the medians of each step, on average, because some take a hundred times as
// long as others.
func ratio(a, b []time.Duration) float64 {
	const each = talkSteps - 1
	sum := 0.0
	for step := range each {
		sum += float64(medianOf(a, step, each)) / float64(medianOf(b, step, each))
	}
	return sum / each
}

// medianOf returns the median of each n-th entry from the first on.
func medianOf(list []time.Duration, first, n int) time.Duration {
	var some []time.Duration
	for i := first; i < len(list); i += n {
		some = append(some, list[i])
	}
	slices.Sort(some)
	return some[len(some)/2]
}
