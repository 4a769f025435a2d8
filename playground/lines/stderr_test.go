package lines

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestStderr_Pieces: a secret that is written byte by byte is masked on the page and on
// the terminal, and the begin of a line shows at once.
func TestStderr_Pieces(t *testing.T) {
	t.Parallel()
	const secret = "env-secret-value"
	for name, text := range map[string]string{
		"a line": "token " + secret + "\nnext",
		"a long line": strings.Repeat("x", maxStderrLine-5) + secret + strings.Repeat("y", secretBegins) +
			"\nnext",
	} {
		var terminal bytes.Buffer
		s := New(Config{Secrets: []string{secret}, Stderr: &terminal})
		url, _ := s.Add([]string{"server"})
		c := s.byURL[url]
		p := newProcess(c, 1, nil, &stderr{c: c, n: 1})
		c.alive = append(c.alive, p)
		for i := range len(text) {
			_, _ = p.stderr.Write([]byte(text[i : i+1]))
		}
		want := strings.ReplaceAll(text, secret, strings.Repeat("*", len(secret)))
		if got := c.look().Written(time.Time{}, time.Time{}); got != want {
			t.Errorf("%s: %d bytes: %.30s … %.60s", name, len(got), got, got[max(len(got)-60, 0):])
		}
		c.ended(p, "exit status 0")
		if got := c.look().Written(time.Time{}, time.Time{}); got != want {
			t.Errorf("%s: after the end: %d bytes", name, len(got))
		}
		if got := terminal.String(); got != want {
			t.Errorf("%s: on the terminal: %.30s", name, got)
		}
	}
}
