package export

import (
	"fmt"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Text is the wire of a Session for reading: what was sent behind ">", what
// came back behind "<", everything else behind "#". So no line begins with a
// sign that a spreadsheet would run, and what a terminal would obey is shown
// instead. It is not exact where bytes cannot be read; the .json is.
func Text(s Session) []byte {
	var b strings.Builder
	remark(&b, s.Title)
	remark(&b, s.Note)
	for i, x := range s.Exchanges {
		remark(&b, fmt.Sprintf("Exchange %d: %s to %s at %s", i+1, x.Call.Method, x.Target.Name, x.Target.URL))
		for _, e := range x.Log {
			event(&b, e, x.Created)
		}
	}
	return []byte(b.String())
}

func event(b *strings.Builder, e playground.Event, since time.Time) {
	b.WriteByte('\n')
	remark(b, fmt.Sprintf("%d %s, %s, +%s", e.Seq, e.Kind, formatTime(e.At), e.At.Sub(since).Round(time.Millisecond)))
	switch e.Kind {
	case playground.Sent:
		lines(b, "> ", string(e.Data))
	case playground.Received, playground.Message:
		lines(b, "< ", string(e.Data))
	default:
		remark(b, string(e.Data))
	}
}

func remark(b *strings.Builder, text string) {
	if text != "" {
		lines(b, "# ", text)
	}
}

func lines(b *strings.Builder, prefix, s string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text.Lines(s, text.NoLimit), "\n"), "\n") {
		b.WriteString(prefix + line + "\n")
	}
}
