package document

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Parse reads a document. A text that begins with a brace is read as JSON, any
// other as YAML. It returns nil and the problems if the text is no document.
func Parse(source []byte) (*Node, []Problem) {
	switch {
	case len(source) > MaxBytes:
		return nil, []Problem{{Line: 1, Column: 1, Text: "The text is too long: " +
			text.Size(len(source)) + ", at most " + text.Size(MaxBytes) + " are allowed."}}
	case !utf8.Valid(source):
		line, column := linesOf(source).place(invalidAt(source))
		return nil, []Problem{{Line: line, Column: column, Text: "The text is not valid UTF-8."}}
	}
	var p parser
	var root *Node
	if isJSON(source) {
		root = p.json(source)
	} else {
		root = p.yaml(source)
	}
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return root, nil
}

func isJSON(source []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(source), []byte("{")) }

type parser struct{ problems []Problem }

// maxProblems is how many problems are worth reading.
const maxProblems = 20

func (p *parser) wrong(line, column int, format string, a ...any) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, Problem{Line: max(line, 1), Column: max(column, 1),
			Text: fmt.Sprintf(format, a...)})
	}
}

func (p *parser) json(source []byte) *Node {
	tree, err := jsontree.Parse(source, jsontree.Limits{Depth: maxDepth})
	var broken *jsontree.SyntaxError
	switch {
	case errors.As(err, &broken):
		line, column := linesOf(source).place(broken.Offset)
		p.wrong(line, column, "This is not JSON: %s.", broken.Text)
		return nil
	case err != nil:
		p.wrong(1, 1, "The text is nested too deeply: more than %d levels.", maxDepth)
		return nil
	}
	return p.fromJSON(linesOf(source), tree)
}

func (p *parser) fromJSON(l lines, t *jsontree.Node) *Node {
	n := &Node{}
	n.Line, n.Column = l.place(t.Start)
	switch t.Kind {
	case jsontree.Null:
		n.Kind = Null
	case jsontree.Bool:
		n.Kind, n.Text = Bool, string(t.Raw())
	case jsontree.Number:
		n.Kind, n.Text = Number, string(t.Raw())
	case jsontree.String:
		n.Kind, n.Text = Text, t.Str()
		p.checkText(n.Text, n.Line, n.Column)
	case jsontree.Array:
		n.Kind = List
		for _, item := range t.Items {
			n.Items = append(n.Items, p.fromJSON(l, item))
		}
	default:
		n.Kind = Map
		for _, m := range t.Members {
			line, column := l.place(m.KeyStart)
			p.add(n, Member{m.Key, p.fromJSON(l, m.Value), line, column})
		}
	}
	return n
}

// add adds a member whose name is new.
func (p *parser) add(n *Node, m Member) {
	p.checkText(m.Name, m.Line, m.Column)
	if n.Has(m.Name) {
		p.wrong(m.Line, m.Column, "The field %s is defined twice.", Quote(m.Name))
		return
	}
	n.Members = append(n.Members, m)
}

// Quote returns a word of the document in quotes, short and with its invisible
// characters shown.
func Quote(s string) string { return "“" + text.Visible(s, 60) + "”" }

// checkText refuses characters that have no place in a text.
func (p *parser) checkText(s string, line, column int) {
	for _, r := range s {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || 0x80 <= r && r < 0xa0 || r == utf8.RuneError {
			p.wrong(line, column, "A text has the control character %U.", r)
			return
		}
	}
}

// lineError is how the YAML reader begins its messages.
var lineError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

func (p *parser) yaml(source []byte) (root *Node) {
	decoder := yaml.NewDecoder(strings.NewReader(string(source)))
	var doc, next yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		p.yamlError(err)
		return nil
	}
	if decoder.Decode(&next) == nil {
		p.wrong(next.Line, 1, "The text has a second document. Write one.")
		return nil
	}
	if len(doc.Content) == 0 {
		p.wrong(1, 1, "The text is empty.")
		return nil
	}
	return p.fromYAML(doc.Content[0], 0)
}

// yamlError turns an error of the YAML reader into a problem.
func (p *parser) yamlError(err error) {
	parts := lineError.FindStringSubmatch(strings.SplitN(err.Error(), "\n", 2)[0])
	if err.Error() == "EOF" || parts == nil {
		p.wrong(1, 1, "The text is empty.")
		return
	}
	line, _ := strconv.Atoi(parts[1]) // 0 if it names no line
	p.wrong(line, 1, "This is not YAML: %s.%s", text.Visible(parts[2], 200), yamlHint(parts[2]))
}

// yamlHint returns a sentence with the most frequent cause of an error of the
// YAML reader, or "".
func yamlHint(message string) string {
	switch {
	case strings.Contains(message, "expected ',' or"):
		return " Inside braces and brackets, quote a text that has a ?, a comma or a colon."
	case strings.Contains(message, "mapping values are not allowed"):
		return " Quote a text that has a colon, and look at the indentation."
	case strings.Contains(message, "expected '-' indicator"), strings.Contains(message, "expected key"),
		strings.Contains(message, "block mapping"), strings.Contains(message, "found a tab"):
		return " Look at the indentation, here and below: spaces only, the same for all fields of one " +
			"thing. Quote a text that begins with { or has quotation marks at its beginning."
	}
	return ""
}

func (p *parser) fromYAML(y *yaml.Node, depth int) *Node {
	n := &Node{Line: y.Line, Column: y.Column}
	switch {
	case depth > maxDepth:
		p.wrong(y.Line, y.Column, "The text is nested too deeply: more than %d levels.", maxDepth)
		return n
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		p.wrong(y.Line, y.Column, "Anchors and aliases (& and *) are not allowed. "+
			"Write the value again, or quote a text that begins with one of them.")
		return n
	case y.Style&yaml.TaggedStyle != 0:
		p.wrong(y.Line, y.Column, "Tags (!) are not allowed. Quote a text that begins with one.")
		return n
	}
	switch y.Kind {
	case yaml.SequenceNode:
		n.Kind = List
		for _, item := range y.Content {
			n.Items = append(n.Items, p.fromYAML(item, depth+1))
		}
	case yaml.MappingNode:
		n.Kind = Map
		for i := 0; i+1 < len(y.Content); i += 2 {
			key, value := y.Content[i], p.fromYAML(y.Content[i+1], depth+1)
			if name := p.fromYAML(key, depth+1); name.Kind == List || name.Kind == Map ||
				key.ShortTag() == "!!merge" {
				p.wrong(key.Line, key.Column, "The name of a field must be a text.")
				continue
			}
			p.add(n, Member{key.Value, value, key.Line, key.Column})
		}
	default:
		p.scalar(n, y)
	}
	return n
}

// jsonNumber is the syntax of numbers (RFC 8259, section 6). YAML's others, such
// as 0x10 and 1_000, are texts here.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

func (p *parser) scalar(n *Node, y *yaml.Node) {
	tag := y.ShortTag()
	switch {
	case tag == "!!null":
		n.Kind = Null
	case tag == "!!bool":
		n.Kind, n.Text = Bool, strings.ToLower(y.Value)
	case (tag == "!!int" || tag == "!!float") && jsonNumber.MatchString(y.Value):
		n.Kind, n.Text = Number, y.Value
	default:
		n.Kind, n.Text = Text, y.Value
		p.checkText(n.Text, n.Line, n.Column)
	}
}

// lines holds the offsets at which the lines of a source begin.
type lines []int

func linesOf(source []byte) lines {
	l := lines{0}
	for i, c := range source {
		if c == '\n' {
			l = append(l, i+1)
		}
	}
	return l
}

// place returns the line and the column, in bytes, of an offset.
func (l lines) place(offset int) (line, column int) {
	i, found := slices.BinarySearch(l, offset)
	if !found {
		i--
	}
	return i + 1, offset - l[i] + 1
}

func invalidAt(source []byte) int {
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(source)
}
