package jsontree

// TokenKind is the kind of a Token, for highlighting.
type TokenKind string

// The kinds of a Token.
const (
	KeyToken     TokenKind = "key"
	StringToken  TokenKind = "string"
	NumberToken  TokenKind = "number"
	LiteralToken TokenKind = "literal"
	PunctToken   TokenKind = "punct"
)

// Token is a piece of a source: source[Offset:End].
type Token struct {
	Offset, End int
	Kind        TokenKind
}

// Line is one line of a value laid out for reading: a container opens and
// closes on its own lines, every other value takes one line. The caller adds
// indentation and a space after the colon of a key.
type Line struct {
	Depth  int
	Tokens []Token // without white space; offsets into the source
	Node   *Node   // the value that starts on this line; nil where a container closes
	Close  int     // index of the line that closes Node; this line if Node takes one line
}

// Lines lays out n for reading, in the order of the source and with duplicates.
func Lines(n *Node) []Line {
	if n == nil {
		return nil
	}
	var l layout
	l.value(nil, n, 0, n.End)
	return l.lines
}

type layout struct{ lines []Line }

// value lays out n after the tokens of its key. tail is the end of the comma
// that follows n, or the end of n if there is none.
func (l *layout) value(tokens []Token, n *Node, depth, tail int) {
	at := len(l.lines)
	src := *n.src
	line := Line{Depth: depth, Node: n, Close: at}
	if n.Len() == 0 {
		line.Tokens = comma(append(tokens, scalar(n)...), n.End, tail)
		l.lines = append(l.lines, line)
		return
	}
	line.Tokens = append(tokens, Token{n.Start, n.Start + 1, PunctToken})
	l.lines = append(l.lines, line)
	for i, m := range n.Members {
		colon := skipSpace(src, m.KeyEnd)
		key := []Token{{m.KeyStart, m.KeyEnd, KeyToken}, {colon, colon + 1, PunctToken}}
		l.value(key, m.Value, depth+1, tailOf(src, m.Value, i == len(n.Members)-1))
	}
	for i, item := range n.Items {
		l.value(nil, item, depth+1, tailOf(src, item, i == len(n.Items)-1))
	}
	l.lines[at].Close = len(l.lines)
	end := comma([]Token{{n.End - 1, n.End, PunctToken}}, n.End, tail)
	l.lines = append(l.lines, Line{Depth: depth, Tokens: end, Close: len(l.lines)})
}

func tailOf(src []byte, n *Node, last bool) int {
	if last {
		return n.End
	}
	return skipSpace(src, n.End) + 1
}

func comma(tokens []Token, end, tail int) []Token {
	if tail > end {
		tokens = append(tokens, Token{tail - 1, tail, PunctToken})
	}
	return tokens
}

func scalar(n *Node) []Token {
	switch n.Kind {
	case String:
		return []Token{{n.Start, n.End, StringToken}}
	case Number:
		return []Token{{n.Start, n.End, NumberToken}}
	case Array, Object:
		return []Token{{n.Start, n.Start + 1, PunctToken}, {n.End - 1, n.End, PunctToken}}
	}
	return []Token{{n.Start, n.End, LiteralToken}}
}
