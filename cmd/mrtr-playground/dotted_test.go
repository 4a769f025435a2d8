package main

import (
	"bytes"
	"io"
	"testing"
)

func TestDotted_LinesBeginOnTheirOwn(t *testing.T) {
	var out bytes.Buffer
	d := newDotted(&out)
	d.end() // of nothing
	d.dot()
	d.dot()
	_, _ = io.WriteString(newDotted(d), "a log line\n")
	_, _ = io.WriteString(d, "")
	d.dot()
	_, _ = io.WriteString(d, "half ")
	_, _ = io.WriteString(d, "a line")
	d.dot()
	d.end()
	if want := "..\na log line\n.\nhalf a line\n.\n"; out.String() != want {
		t.Errorf("%q, want %q", &out, want)
	}
}
