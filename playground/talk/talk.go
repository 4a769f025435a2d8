// Package talk is the identity of a talk: the stage that an audience follows, the
// code that its followers type, and how long it goes on without its presenter.
// Package talk is the identity of a talk: the stage that an audience follows, the
// code that its followers type, and how long it goes on without its presenter.
package talk

import (
	"crypto/sha256"
	"strings"
	"time"
)

// Talk is a stage that an audience follows: each step appears on the page of
// everyone who has the code. A Follower reads and does nothing else, and nothing
// of one is stored.
type Talk struct {
	Code      string
	Workspace string // of the presenter
	Session   string // of the stage
}

// Life is how long a talk goes on without its presenter.
const Life = 12 * time.Hour

// codeLetters are the digits and the letters without I, L, O and U, which look
// like others or make words.
const codeLetters = "0123456789abcdefghjkmnpqrstvwxyz"

// codeLength is the number of letters of a code, which are 40 bits: short enough
// to type, and long enough while addresses are held to 30 wrong links in 10
// minutes. In 12 hours, 10,000 addresses together make 22 million guesses. With
// 100 talks going on, the chance that one guess is right is 0.2 %.
const codeLength = 8

// NewCode returns the code that belongs to a random id of 128 bits.
func NewCode(id string) string {
	sum := sha256.Sum256([]byte(id))
	code := make([]byte, codeLength)
	for i := range code {
		code[i] = codeLetters[int(sum[i])%len(codeLetters)]
	}
	return string(code)
}

// misread are the letters that stand for a letter of a code.
var misread = strings.NewReplacer("-", "", " ", "", "o", "0", "i", "1", "l", "1")

// ReadCode returns the code in a text that a person may have typed, or false if
// the text is none.
func ReadCode(text string) (code string, ok bool) {
	if len(text) > 2*codeLength {
		return "", false
	}
	code = misread.Replace(strings.ToLower(text))
	return code, len(code) == codeLength && strings.Trim(code, codeLetters) == ""
}

// ShownCode returns a code as people read it: two groups of letters.
func ShownCode(code string) string {
	return code[:codeLength/2] + "-" + code[codeLength/2:]
}
