package picture

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
)

// Mermaid returns the Picture as a Mermaid sequence diagram.
func (p Picture) Mermaid() string {
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for i, l := range p.Lanes {
		name := l.Name
		if l.Note != "" {
			name += " (" + l.Note + ")"
		}
		fmt.Fprintf(&b, "    participant L%d as %s\n", i, mermaidText(name))
	}
	for _, s := range p.Steps {
		b.WriteString(s.mermaid())
	}
	return b.String()
}

func (s Step) mermaid() string {
	switch s.Kind {
	case Pause, Now:
		return fmt.Sprintf("    Note over L%d: %s\n", s.From, mermaidText(s.noteText()))
	}
	label := strings.TrimSpace(s.Label + " " + markGlyphs[s.Mark])
	line := fmt.Sprintf("    L%d%sL%d: %s\n", s.From, s.mermaidArrow(), s.To, mermaidText(label))
	if s.State != "" {
		line += fmt.Sprintf("    Note over L%d,L%d: %s\n", min(s.From, s.To), max(s.From, s.To),
			mermaidText("◇ "+s.State))
	}
	return line
}

// markGlyphs are the marks that stand beside a label, as text.
var markGlyphs = map[Mark]string{
	Done: narrate.Good.Glyph(), Wrong: narrate.Bad.Glyph(), Neutral: narrate.Neutral.Glyph(),
}

func (s Step) mermaidArrow() string {
	dash := ""
	if s.Kind != Call {
		dash = "-"
	}
	if s.Mark.onArrow() {
		return dash + "-x"
	}
	return dash + "->>"
}

// mermaidText escapes everything but plain letters, digits and a few signs as
// character entities, because Mermaid parses comments, line ends and HTML
// inside a message. It also escapes the word "end", which closes a block
// anywhere.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < 0x80 && !isPlain(r):
			fmt.Fprintf(&b, "#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	words := strings.Split(b.String(), " ")
	for i, w := range words {
		if strings.EqualFold(w, "end") {
			words[i] = fmt.Sprintf("#%d;%s", w[0], w[1:])
		}
	}
	return strings.Join(words, " ")
}

func isPlain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		strings.ContainsRune(" _./,'()+?!", r)
}
