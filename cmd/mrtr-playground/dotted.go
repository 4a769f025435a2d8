package main

import (
	"io"
	"sync"
)

// dotted is an output with dots that show progress. What others write between them, such
// as the log of a server, begins on a line of its own.
type dotted struct {
	mu   sync.Mutex
	w    io.Writer
	dots bool // the line has dots
	open bool // the line has text
}

// newDotted returns w itself if it is a *dotted, else one that writes to w.
func newDotted(w io.Writer) *dotted {
	if d, ok := w.(*dotted); ok {
		return d
	}
	return &dotted{w: w}
}

// Write implements [io.Writer].
func (d *dotted) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(b) == 0 {
		return 0, nil
	}
	d.endLine(d.dots)
	d.open = b[len(b)-1] != '\n'
	return d.w.Write(b)
}

func (d *dotted) dot() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endLine(d.open)
	d.dots = true
	_, _ = io.WriteString(d.w, ".") // a terminal that is gone reads nothing
}

// end ends a line of dots.
func (d *dotted) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endLine(d.dots)
}

func (d *dotted) endLine(has bool) {
	if has {
		_, _ = io.WriteString(d.w, "\n")
		d.dots, d.open = false, false
	}
}
