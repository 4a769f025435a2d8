package jsontree

// TokenKind is what a Token is, for highlighting.
type TokenKind string

// The kinds of a Token. Rest is everything from where a text stops being made
// of JSON tokens.
const (
	KeyToken     TokenKind = "key"
	StringToken  TokenKind = "string"
	NumberToken  TokenKind = "number"
	LiteralToken TokenKind = "literal"
	PunctToken   TokenKind = "punct"
	SpaceToken   TokenKind = "space"
	RestToken    TokenKind = "rest"
)

// Token is a piece of a source: source[Offset:End].
type Token struct {
	Offset, End int
	Kind        TokenKind
}

// maxTokens bounds the memory of Tokens for text that is nothing but commas.
const maxTokens = 1 << 17

// Tokens cuts src into tokens that follow each other without a gap, so that
// joined they are src again. It looks at tokens only, not at grammar: what a
// server cut off or wrote wrongly is still coloured as far as it goes. Beyond
// 131072 tokens the remainder is one RestToken.
func Tokens(src []byte) []Token {
	var out []Token
	last := -1 // the latest token that is no space
	for i := 0; i < len(src); {
		t := Token{i, len(src), RestToken}
		if len(out) < maxTokens {
			t = token(src, i)
		}
		if t.Kind == PunctToken && src[i] == ':' && last >= 0 && out[last].Kind == StringToken {
			out[last].Kind = KeyToken
		}
		out = append(out, t)
		if t.Kind != SpaceToken {
			last = len(out) - 1
		}
		i = t.End
	}
	return out
}

func token(src []byte, i int) Token {
	end, kind, err := i+1, PunctToken, error(nil)
	switch c := src[i]; {
	case isSpace(c):
		end, kind = skipSpace(src, i), SpaceToken
	case c == '"':
		kind = StringToken
		end, _, err = scanString(src, i)
	case c == '-' || isDigit(c):
		kind = NumberToken
		end, err = scanNumber(src, i)
	case c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':':
	default:
		kind = LiteralToken
		_, end, err = scanLiteral(src, i)
	}
	if err != nil {
		return Token{i, len(src), RestToken}
	}
	return Token{i, end, kind}
}
