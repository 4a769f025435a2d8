package wire

// Line returns the frame of one line of standard input or output
// (basic/transports/stdio). A line has no head: what is recorded in its place is
// the empty line that ends a head.
func Line(b []byte) Frame { return Frame{Head: []byte("\n"), Body: b} }

// IsLine reports whether the frame is that of a line.
func (f Frame) IsLine() bool { return string(f.Head) == "\n" }
