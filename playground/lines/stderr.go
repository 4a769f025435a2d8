package lines

import (
	"bytes"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// stderr takes what a process writes to standard error, in whole lines: a secret that came
// in pieces could not be masked.
type stderr struct {
	c *command
	n int

	// of c.mu
	line []byte    // that has no end yet
	at   time.Time // of the newest text
}

// A line of standard error that is longer is taken in parts. What could be the begin of a
// secret stays with the next part.
const (
	maxStderrLine = 16 << 10
	secretBegins  = 4 << 10
)

// Write never fails.
func (w *stderr) Write(b []byte) (int, error) {
	w.c.mu.Lock()
	w.line = append(w.line, b...)
	w.at = w.c.of.cfg.Now()
	end := 0
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		end = len(w.line) - len(b) + i + 1
	}
	if len(w.line)-end > maxStderrLine {
		end = len(w.line) - secretBegins
	}
	text := w.take(end)
	w.c.mu.Unlock()
	_, _ = w.c.of.cfg.Stderr.Write(text) // which may wait for a terminal
	return len(b), nil
}

// end takes a last line that has no end.
func (w *stderr) end() {
	w.c.mu.Lock()
	text := w.take(len(w.line))
	w.c.mu.Unlock()
	_, _ = w.c.of.cfg.Stderr.Write(text)
}

// take keeps the text before end, and returns it. c.mu must be held.
func (w *stderr) take(end int) []byte {
	if end == 0 {
		return nil
	}
	masked := w.c.secrets.Mask(w.line)
	w.line = bytes.Clone(masked[end:])
	w.c.say(w.said(masked[:end]))
	return masked[:end]
}

func (w *stderr) said(text []byte) server.Said {
	return server.Said{At: w.at, Process: w.n, Text: string(text)}
}

// say keeps a text of standard error. The oldest is dropped. c.mu must be held.
func (c *command) say(s server.Said) {
	if over := len(s.Text) - maxStderr; over > 0 {
		s.Text, c.cut = s.Text[over:], true
	}
	c.stderr = append(c.stderr, s)
	for c.bytes += len(s.Text); c.bytes > maxStderr; c.cut = true {
		c.bytes -= len(c.stderr[0].Text)
		c.stderr = c.stderr[1:]
	}
}
