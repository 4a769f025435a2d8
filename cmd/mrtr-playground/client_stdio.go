package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// pipe is standard input and output as they are, byte for byte.
type pipe struct {
	in  io.Reader
	out io.Writer
}

// Limits of the record of -stdio.
const (
	lineLimit = localAnswer  // of one line that is recorded
	tapeBytes = localSession // of all of them
	tapeLines = 20000
)

// lineRecorder passes the lines between a client and a server on, and records them.
type lineRecorder struct {
	out io.Writer
	now func() time.Time
	// limits of its ends. A client that closes the input of this program waits, too, before
	// it ends it by force: the TypeScript SDK for four seconds in all.
	limits commandLimits

	mu   sync.Mutex
	tape *capture.Tape // nil once it has ended
}

// run starts the server and passes lines on until one side ends, then ends the server.
func (r *lineRecorder) run(ctx context.Context, args []string, in io.Reader, stderr io.Writer) capture.Run {
	run := capture.Run{Stdio: true}
	server, err := stdio.Command{Args: args, Grace: r.limits.kill}.Start(lineLimit, stderr)
	if err != nil {
		run.Ended = "could not be started: " + err.Error()
		return run
	}
	// A client that is gone must not end this program before the server has ended, and the
	// report may have no reader either.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	target := playground.Target{ID: "stdio", Name: args[0]}
	r.tape = capture.NewTape(target, newID, capture.TapeLimits{Bytes: tapeBytes, Lines: tapeLines})
	client, replies := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(client)
		r.passRequests(in, server)
	}()
	go func() {
		defer close(replies)
		r.passReplies(server)
	}()
	select {
	case <-client:
	case <-replies:
	case <-ctx.Done():
	}
	run.Ended = server.End(ctx, r.limits.exit)
	select {
	case <-replies:
	case <-time.After(r.limits.read):
	}
	report, missed := r.end()
	run.Report = report
	if missed > 0 {
		run.Ended += "; the record is full: " + text.Plural(missed, "later line") +
			" passed on but not recorded"
	}
	if last := lastLine(server); last != "" && run.Ended != capture.Succeeded {
		run.Ended += "; the last line on standard error: " + last
	}
	return run
}

// lastLine returns the last line that a server wrote to standard error.
func lastLine(p *stdio.Process) string {
	end, _ := p.Stderr()
	end = strings.TrimSpace(end)
	return text.Visible(end[strings.LastIndexByte(end, '\n')+1:], 200)
}

// passRequests passes the lines of the client on until they end.
func (r *lineRecorder) passRequests(in io.Reader, server *stdio.Process) {
	lines := stdio.NewReader(in, lineLimit)
	for {
		line, err := lines.Next()
		if err != nil {
			return
		}
		r.record(line, (*capture.Tape).FromClient, (*capture.Tape).CutFromClient)
		if _, err := server.Write(line.Bytes); err != nil {
			return // the server reads no more
		}
	}
}

// passReplies passes the lines of the server on until they end. A client that reads no
// more ends them, too.
func (r *lineRecorder) passReplies(server *stdio.Process) {
	for {
		line, err := server.Next()
		if err != nil {
			return
		}
		r.record(line, (*capture.Tape).FromServer, (*capture.Tape).CutFromServer)
		if _, err := r.out.Write(line.Bytes); err != nil {
			return
		}
	}
}

// record records a line before it is passed on, so that no answer to it comes first.
func (r *lineRecorder) record(line stdio.Line, whole, cut func(*capture.Tape, []byte, time.Time)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.tape == nil:
	case line.Piece == stdio.Whole:
		whole(r.tape, line.Bytes, r.now())
	case line.Piece == stdio.Start:
		cut(r.tape, line.Bytes, r.now())
	}
}

// end ends the record, and returns its report and how many lines are not in it.
func (r *lineRecorder) end() (capture.Report, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report, missed := r.tape.End(r.now()), r.tape.Missed()
	r.tape = nil
	return report, missed
}

// hasty is a writer for a reader that may be gone.
type hasty struct {
	w     io.Writer
	limit time.Duration
}

// Write writes b, which must not change afterwards. It returns after the limit at the
// latest, and no error: that nothing is read is no fault.
func (h hasty) Write(b []byte) (int, error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = h.w.Write(b)
	}()
	select {
	case <-done:
	case <-time.After(h.limit):
	}
	return len(b), nil
}
