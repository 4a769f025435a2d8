package lines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// process is a running command that requests share.
type process struct {
	c      *command
	n      int
	child  *stdio.Process
	stderr *stderr

	session bool // of an earlier revision, whose process it is alone
	noticed int  // lines with a fault that were named, by watch alone
	long    int  // length of the line that is too long to keep, so far

	turn chan struct{} // holds one token, of the request that is being written
	gone chan struct{} // closed when nothing more comes of it
	how  string        // it ended; set before gone is closed
	once sync.Once     // of end

	mu           sync.Mutex
	channel      *playground.Channel[*flight]
	roots        bool      // the client has declared roots
	rootsAnswers int       // with the roots, that are being written or wait for that
	told         int       // notifications that were sent and not responded to, as is right
	answered     []*flight // whose responses came with the newest lines
	past         []*flight // that have ended, oldest first; a late line names them
}

// maxPast is how many requests that have ended are known. A line for an older one is one
// for no request.
const maxPast = 200

// maxLines is how long a line may be before the process is ended, as a multiple of the
// longest that is kept: nothing can be read before its end.
const maxLines = 16

// flight is a request whose response is to come.
type flight struct {
	limits  wire.Limits
	signal  chan struct{} // has a token when something is new
	dropped chan struct{} // closed once it has ended

	// of the mutex of the process
	parts  []wire.Part // that were not taken yet
	count  int
	bytes  int
	failed *wire.Failure // a limit is reached, or no response can be read
	odd    oddLines      // the newest lines, if they are no messages
	begun  []byte        // of a line without its end, when that was last looked at
	whole  bool          // the response has come, with everything beside it
}

func newFlight(l wire.Limits) *flight {
	return &flight{limits: l, signal: make(chan struct{}, 1), dropped: make(chan struct{})}
}

func newProcess(c *command, n int, child *stdio.Process, beside *stderr) *process {
	p := &process{
		c: c, n: n, child: child, stderr: beside, turn: make(chan struct{}, 1), gone: make(chan struct{}),
		channel: playground.NewChannel[*flight](),
	}
	p.turn <- struct{}{}
	return p
}

// isGone reports whether nothing more comes of the process.
func (p *process) isGone() bool {
	select {
	case <-p.gone:
		return true
	case <-p.child.Exited():
		return true
	default:
		return false
	}
}

// isIdle reports whether no request is in progress.
func (p *process) isIdle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.channel.Open()) == 0
}

// watch reads the lines of the process to their end.
func (p *process) watch() {
	for {
		line, err := p.child.Next()
		if err != nil {
			break
		}
		if line.Piece == stdio.Whole {
			p.long = 0
		} else if p.long += len(line.Bytes); p.long > maxLines*p.c.of.cfg.Line {
			p.endNow(fmt.Sprintf("it was ended because a line of more than %d bytes had no end",
				maxLines*p.c.of.cfg.Line))
			break
		}
		p.deliver(line, p.c.of.cfg.Now())
		if !p.child.Ready() {
			p.finish()
		}
	}
	p.finish()
	// a command that has closed its output can answer no more, whether it runs or not
	p.end(context.Background(), "")
}

// end ends the process, and returns once it has ended. why says why, or is empty if it
// ended by itself or was asked for.
func (p *process) end(ctx context.Context, why string) {
	p.once.Do(func() {
		if p.how = p.child.End(ctx, p.c.of.cfg.Patience); why != "" {
			p.how = why
		}
		p.c.ended(p, p.how)
		close(p.gone)
	})
	<-p.gone
}

// endNow is end without patience.
func (p *process) endNow(why string) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	p.end(ctx, why)
}

// deliver gives a line to the request that it belongs to.
func (p *process) deliver(line stdio.Line, at time.Time) {
	if line.Piece == stdio.Rest {
		return
	}
	line.Bytes = p.c.secrets.Mask(line.Bytes)
	message, err := jsontree.Parse(line.Bytes, jsontree.Limits{})
	fault := faultOf(message, line)
	p.notice(message, line.Bytes, fault)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.session && asksForRoots(message) {
		p.c.addStray(p.n, playground.Received, line.Bytes, at)
		p.answerRoots(message.Get("id").Raw())
		return
	}
	f := p.owner(message)
	if f == nil {
		p.c.addStray(p.n, playground.Received, line.Bytes, at)
		return
	}
	if f.failed != nil {
		return
	}
	f.take(line, at)
	switch {
	case f.failed != nil:
	case errors.Is(err, jsontree.ErrTooDeep):
		f.failed = &wire.Failure{Class: playground.TooDeep,
			Detail: "a line nests arrays and objects more than 64 levels deep"}
	case errors.Is(err, jsontree.ErrTooMany):
		f.failed = &wire.Failure{Class: wire.TooLarge,
			Detail: "a line contains more JSON values than this client reads"}
	case isMessage(message) && fault.Text == "":
		f.odd = oddLines{}
	default:
		f.failed = f.odd.read(line.Bytes, fault)
	}
	if (playground.RPC{Node: message}).IsResponse() || f.failed != nil {
		p.channel.Close(f)
		p.answered = append(p.answered, f)
	}
	f.wake()
}

// owner returns the request that a message belongs to: the one that it names, else the
// only one in progress, which it may be about although it does not say so. It is nil if
// there is none. A result without an id after a notification is taken for a response to that,
// which no receiver may send (basic/index, "Notifications"). p.mu must be held.
func (p *process) owner(m *jsontree.Node) *flight {
	if id := m.Get("id"); p.told > 0 && m.Has("result") && (id == nil || id.Kind == jsontree.Null) {
		p.told--
		return nil
	}
	f, known := p.channel.Owner(m)
	if !known {
		f, _ = p.channel.Only()
	}
	if slices.Contains(p.past, f) {
		return nil
	}
	return f
}

// take adds a line to the response.
func (f *flight) take(line stdio.Line, at time.Time) {
	part := wire.Part{Kind: wire.Received, At: at, Bytes: wire.Line(line.Bytes).Bytes()}
	f.parts, f.count, f.bytes = append(f.parts, part), f.count+1, f.bytes+len(line.Bytes)
	switch {
	case line.Piece == stdio.Start, f.bytes > f.limits.Body:
		f.failed = &wire.Failure{Class: wire.TooLarge, Detail: fmt.Sprintf(
			"the lines of the response are larger than %d bytes; the rest was not read "+
				"(-limit answer-body=BYTES sets this limit)",
			f.limits.Body)}
	case f.count > f.limits.Events:
		f.failed = &wire.Failure{Class: wire.TooLarge, Detail: fmt.Sprintf(
			"the response has more than %d lines; the rest was not read "+
				"(-limit answer-events=N sets this limit)",
			f.limits.Events)}
	}
}

// wake signals something new.
func (f *flight) wake() {
	select {
	case f.signal <- struct{}{}:
	default:
	}
}

// finish ends the requests whose responses have come: everything that came with
// them has been read.
func (p *process) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.answered {
		f.whole = true
		f.wake()
	}
	p.answered = nil
}

// news returns the parts of a response that are new, how it failed, and whether it is whole.
func (p *process) news(f *flight) ([]wire.Part, *wire.Failure, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := f.parts
	f.parts = nil
	return parts, f.failed, f.whole
}

// drop ends a request. What still comes for it belongs to no request.
func (p *process) drop(f *flight) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.channel.Close(f)
	p.answered = slices.DeleteFunc(p.answered, func(other *flight) bool { return other == f })
	close(f.dropped)
	if p.past = append(p.past, f); len(p.past) > maxPast {
		p.channel.Forget(p.past[0])
		p.past = slices.Delete(p.past, 0, 1)
	}
}
