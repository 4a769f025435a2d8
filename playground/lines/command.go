package lines

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// What is kept in memory of a command.
const (
	maxProcesses = 20 // that have ended
	maxStderr    = 64 << 10
	maxStray     = 100 // lines
	maxStrayLine = 16 << 10
)

// command is a server that is a command.
type command struct {
	of      *Servers
	url     string
	name    string
	words   []string
	secrets *redact.Secrets

	mu      sync.Mutex
	shared  *process // that requests share; nil if none was started
	alive   []*process
	list    []server.Process
	stderr  []server.Said
	bytes   int // of stderr
	cut     bool
	stray   []playground.Event
	missed  int
	started int
	opening sync.Mutex // held while a process is started
}

func newCommand(s *Servers, url string, words []string) *command {
	return &command{
		of: s, url: url, name: NameOf(words), words: words,
		secrets: redact.New(nil, "", nil, append(SecretsIn(words), s.cfg.Secrets...)...),
	}
}

// look returns the state of the command.
func (c *command) look() server.Command {
	c.mu.Lock()
	defer c.mu.Unlock()
	said := slices.Clone(c.stderr)
	for _, p := range c.alive {
		if begun := p.stderr.line; len(begun) > 0 {
			said = append(said, p.stderr.said(begun))
		}
	}
	c.mask(said)
	return server.Command{
		URL: c.url, Name: c.name, Processes: slices.Clone(c.list), Stderr: said, Cut: c.cut,
		Stray: slices.Clone(c.stray), Missed: c.missed,
	}
}

// running returns the processes that run.
func (c *command) running() []*process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.alive)
}

// share returns the process that requests share. It starts one if there is none.
func (c *command) share() (*process, error) {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	p := c.shared
	c.mu.Unlock()
	if p != nil && !p.isGone() {
		return p, nil
	}
	p, err := c.start(false)
	if err == nil {
		c.mu.Lock()
		c.shared = p
		c.mu.Unlock()
	}
	return p, err
}

// rest ends the process that requests share, if nothing is in progress there: the server
// is one of an earlier revision, whose sessions have processes of their own.
func (c *command) rest() {
	c.mu.Lock()
	p := c.shared
	c.mu.Unlock()
	if p != nil && p.isIdle() {
		go p.end(context.Background(), "") // Close waits for its watch
	}
}

// isIdle reports whether no request is in progress at the process that requests share.
func (c *command) isIdle() bool {
	c.mu.Lock()
	p := c.shared
	c.mu.Unlock()
	return p == nil || p.isIdle() // a process that delivers a line locks the other way round
}

// stop ends the process that requests share, if it runs.
func (c *command) stop(ctx context.Context) {
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	p := c.shared
	c.shared = nil
	c.mu.Unlock()
	if p != nil {
		p.end(ctx, "")
	}
}

// errClosing is for a process that would start while the program ends.
var errClosing = errors.New("the program is ending")

// start starts a process.
func (c *command) start(session bool) (*process, error) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.of.closed {
		return nil, errClosing
	}
	c.mu.Lock()
	c.started++
	n := c.started
	c.mu.Unlock()
	run := stdio.Command{Args: c.words, Env: c.of.cfg.Env, Grace: c.of.cfg.Grace}
	started := c.of.cfg.Now()
	beside := &stderr{c: c, n: n}
	child, err := run.Start(c.of.cfg.Line, beside)
	state := server.Process{N: n, Session: session, Started: started}
	if err != nil {
		state.Ended = "could not be started: " + err.Error()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, state)
	c.forget()
	if err != nil {
		return nil, err
	}
	p := newProcess(c, n, child, beside)
	p.session = session
	c.alive = append(c.alive, p)
	c.of.wg.Go(p.watch)
	return p, nil
}

// forget drops the oldest processes that have ended, but for the newest of them. c.mu
// must be held.
func (c *command) forget() {
	for i := 0; i < len(c.list) && len(c.list) > maxProcesses; {
		if c.list[i].Ended == "" {
			i++
			continue
		}
		c.list = slices.Delete(c.list, i, i+1)
	}
}

// ended notes how a process ended.
func (c *command) ended(p *process, how string) {
	p.stderr.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.alive = slices.DeleteFunc(c.alive, func(other *process) bool { return other == p })
	for i := range c.list {
		if c.list[i].N == p.n {
			c.list[i].Ended = how
		}
	}
}

// addStray keeps a line of process n that belongs to no request: one that it wrote, which
// was Received, or the answer to it, which was Sent.
func (c *command) addStray(n int, kind playground.EventKind, line []byte, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.stray) == maxStray {
		c.stray = slices.Delete(c.stray, 0, 1)
		c.missed++
	}
	line = line[:min(len(line), maxStrayLine)]
	c.stray = append(c.stray, playground.Event{
		At: at, Conn: n, Kind: kind, Data: wire.Line(line).Bytes(),
	})
}
