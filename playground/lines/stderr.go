package lines

import (
	"bytes"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// stderr takes the standard error of a process, in whole lines, and lines that
// may be parts of one encoding together: a secret that came in pieces could not
// be masked.
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
		end -= len(encodedLines(w.line[:end]))
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

// minEncodedLine is the least length of the lines into which tools break
// encoded text.
const minEncodedLine = 40

// encodedLines returns the whole lines at the end of a text that may be a part of an
// encoding that goes on with the next line: Base64, or hexadecimal digits.
func encodedLines(text []byte) []byte {
	start := len(text)
	for start > 0 {
		from := bytes.LastIndexByte(text[:start-1], '\n') + 1
		if line := bytes.TrimSpace(text[from:start]); len(line) < minEncodedLine || !redact.IsEncoded(line) {
			break
		}
		start = from
	}
	return text[start:]
}

// mask masks secrets that go on from one text of a process to the next one.
func (c *command) mask(said []server.Said) {
	whole := map[int][]byte{}
	for _, s := range said {
		whole[s.Process] = append(whole[s.Process], s.Text...)
	}
	for process, text := range whole {
		whole[process] = c.secrets.Mask(text)
	}
	for i, s := range said {
		text := whole[s.Process]
		said[i].Text, whole[s.Process] = string(text[:len(s.Text)]), text[len(s.Text):]
	}
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
