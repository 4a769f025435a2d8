package export

import (
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Text returns the messages of a Session as readable text: lines that were sent
// begin with ">", lines that were received with "<", all others with "#". So no
// line begins with a character that a spreadsheet interprets, and control
// characters are shown as text. Bytes that are not readable are not exact; use
// JSON for exact bytes.
func Text(s Session) []byte {
	var b strings.Builder
	remark(&b, s.Title)
	remark(&b, s.Note)
	if s.Imported {
		remark(&b, importedWords)
	}
	for i, x := range s.Exchanges {
		remark(&b, fmt.Sprintf("Exchange %d: %s to %s at %s", i+1, x.Call.Method,
			x.Target.Name, x.Target.URL))
		for _, e := range x.Log {
			event(&b, e, x.Created)
		}
	}
	return []byte(b.String())
}

// event writes one event. Times are relative to since.
func event(b *strings.Builder, e playground.Event, since time.Time) {
	b.WriteByte('\n')
	remark(b, fmt.Sprintf("%d %s, %s, +%s", e.Seq, e.Kind, formatTime(e.At),
		e.At.Sub(since).Round(time.Millisecond)))
	switch e.Kind {
	case playground.Sent:
		lines(b, "> ", string(e.Data))
	case playground.Received, playground.Message:
		lines(b, "< ", string(e.Data))
	case playground.Repeated:
		if n, err := e.Repetition(); err == nil {
			remark(b, fmt.Sprintf("Asked %s more with the same answer as %d.",
				text.Plural(n.Count, "time"), n.Of))
		}
	default:
		remark(b, string(e.Data))
	}
}

// remark writes a text as comment lines.
func remark(b *strings.Builder, text string) {
	if text != "" {
		lines(b, "# ", text)
	}
}

// lines writes the lines of s, each after prefix.
func lines(b *strings.Builder, prefix, s string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text.Lines(s, text.NoLimit), "\n"), "\n") {
		b.WriteString(prefix + line + "\n")
	}
}
