package lines

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Config configures Servers. Zero fields have defaults.
type Config struct {
	Now      func() time.Time
	Patience time.Duration // how long a command may take to end after its input; then SIGTERM
	Grace    time.Duration // and how long after that; then SIGKILL
	Env      []string      // added to the environment of the commands
	Secrets  []string      // masked in what they write; those in their words are masked, too
	Stderr   io.Writer     // their standard error also goes there; may be nil
	// Roots returns the roots of the user, a JSON array. A session of an earlier revision is
	// answered with them. It may wait for the storage. Nil means none.
	Roots func() json.RawMessage
	Line  int // bytes of a line; the rest of a longer one is not read
	// how long nothing may follow a part of a message, or a message without a line feed,
	// before its request fails
	Stall time.Duration
	// called with a sentence, when a line is not one message; may be nil
	Notice func(sentence string)
}

// Servers are the commands that the program was started with. Its methods may be called
// at the same time.
type Servers struct {
	cfg    Config
	byURL  map[string]*command
	list   []*command
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup // the processes that run
}

// New returns Servers without a command.
func New(cfg Config) *Servers {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Patience == 0 {
		cfg.Patience = 2 * time.Second
	}
	if cfg.Grace == 0 {
		cfg.Grace = time.Second
	}
	if cfg.Line == 0 {
		cfg.Line = wire.DefaultLimits().Body
	}
	if cfg.Stall == 0 {
		cfg.Stall = time.Second
	}
	if cfg.Notice == nil {
		cfg.Notice = func(string) {}
	}
	if cfg.Stderr == nil {
		cfg.Stderr = io.Discard
	}
	return &Servers{cfg: cfg, byURL: map[string]*command{}}
}

// Add adds a command by its words, and returns its URL and its name. It must not be
// called once the Servers are in use.
func (s *Servers) Add(words []string) (url, name string) {
	url = wire.CommandURL(words)
	if s.byURL[url] == nil {
		c := newCommand(s, url, words)
		s.byURL[url] = c
		s.list = append(s.list, c)
	}
	return url, s.byURL[url].name
}

// All returns the commands in the order in which they were added.
func (s *Servers) All() []server.Command {
	list := make([]server.Command, len(s.list))
	for i, c := range s.list {
		list[i] = c.look()
	}
	return list
}

// Command returns the command at a URL, and whether there is one.
func (s *Servers) Command(url string) (server.Command, bool) {
	c := s.byURL[url]
	if c == nil {
		return server.Command{}, false
	}
	return c.look(), true
}

// Restart ends the process of the command at a URL that requests share, if it runs, and
// starts another. Requests in progress are lost. What goes wrong is in the state of the
// command.
func (s *Servers) Restart(ctx context.Context, url string) {
	if c := s.byURL[url]; c != nil {
		c.stop(ctx)
		_, _ = c.share()
	}
}

// Renew is Restart for a command whose program may have changed, unless a request is in
// progress.
func (s *Servers) Renew(ctx context.Context, url string) {
	if c := s.byURL[url]; c != nil && c.isIdle() {
		s.Restart(ctx, url)
	}
}

// Close ends the processes, with their child processes, and starts no more.
func (s *Servers) Close(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range s.list {
		for _, p := range c.running() {
			wg.Go(func() { p.end(ctx, "") })
		}
	}
	wg.Wait()
	s.wg.Wait()
}
