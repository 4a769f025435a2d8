package stdio

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReader_ExactBytes(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	text := "a\n\n\r\nb\x00\xff\r\n" + long + "\nc\n" + long + long + "\nend"
	for name, r := range map[string]io.Reader{
		"at once": strings.NewReader(text), "in pieces": iotest.HalfReader(strings.NewReader(text)),
	} {
		lines := NewReader(r, 100<<10)
		var whole []string
		var all bytes.Buffer
		starts := 0
		for {
			line, err := lines.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			all.Write(line.Bytes)
			switch line.Piece {
			case Whole:
				whole = append(whole, string(line.Bytes))
			case Start:
				starts++
				if len(line.Bytes) > 200<<10 {
					t.Errorf("%s: a piece has %d bytes", name, len(line.Bytes))
				}
			}
		}
		if all.String() != text || starts != 2 {
			t.Errorf("%s: %d bytes of %d, %d lines are too long", name, all.Len(), len(text), starts)
		}
		if got := strings.Join(whole, "|"); got != "a\n|\n|\r\n|b\x00\xff\r\n|c\n|end" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestReader_LastLineBeforeTheError(t *testing.T) {
	broken := errors.New("broken")
	lines := NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	for _, want := range []string{"a\n", "b"} {
		if line, err := lines.Next(); err != nil || string(line.Bytes) != want {
			t.Errorf("%q, %v; want %q", line.Bytes, err, want)
		}
	}
	if _, err := lines.Next(); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestTail(t *testing.T) {
	var l tail
	_, _ = l.Write([]byte("one\n"))
	if kept, cut := l.text(); kept != "one\n" || cut {
		t.Errorf("%q, %v", kept, cut)
	}
	for range 10 {
		_, _ = l.Write(bytes.Repeat([]byte("12345678"), maxTail/16))
	}
	_, _ = l.Write([]byte("last"))
	kept, cut := l.text()
	if len(kept) != maxTail || !cut || !strings.HasSuffix(kept, "5678last") {
		t.Errorf("%d bytes, %v, %q", len(kept), cut, kept[len(kept)-20:])
	}
	_, _ = l.Write(append(bytes.Repeat([]byte("y"), 2*maxTail), 'z'))
	if kept, _ := l.text(); len(kept) != maxTail || strings.Trim(kept, "y") != "z" {
		t.Errorf("%d bytes", len(kept))
	}
}
