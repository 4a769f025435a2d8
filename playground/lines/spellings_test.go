package lines

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/redact/redacttest"
	"github.com/mrtr-playground/mrtr-playground/playground/stdio"
)

// TestSpellings_OfASecret: a command that repeats a secret in any spelling shows it neither
// in a line nor in its standard error, wherever that has line breaks.
func TestSpellings_OfASecret(t *testing.T) {
	t.Parallel()
	for _, secret := range redacttest.Secrets {
		for _, spelling := range redacttest.Spellings(secret) {
			s := New(Config{Secrets: []string{secret}, Stderr: &bytes.Buffer{}})
			url, _ := s.Add([]string{"server"})
			c := s.byURL[url]
			p := newProcess(c, 1, nil, &stderr{c: c, n: 1})
			c.alive = append(c.alive, p)
			line, _ := json.Marshal(map[string]string{"text": spelling.Text})
			p.deliver(stdio.Line{Bytes: line}, time.Time{})
			_, _ = p.stderr.Write([]byte("said: " + spelling.Text))
			before := c.look()
			_, _ = p.stderr.Write([]byte("\nnext\n"))
			c.ended(p, "exit status 0")
			written := c.look().Written(time.Time{}, time.Time{})
			if len(before.Stray) != 1 || spelledIn(string(before.Stray[0].Data), spelling) {
				t.Errorf("%s: line: %s", spelling.Name, before.Stray[0].Data)
			}
			begun := before.Written(time.Time{}, time.Time{})
			for _, text := range []string{begun, written} {
				if len(text) < len("said: ") || spelling.Shown(strings.TrimPrefix(text, "said: ")) > 0 {
					t.Errorf("%s: standard error: %q of %q", spelling.Name, text, spelling.Text)
				}
			}
		}
	}
}

func spelledIn(text string, s redacttest.Spelling) bool {
	quoted, _ := json.Marshal(s.Core)
	return strings.Contains(text, s.Core) || strings.Contains(text, string(quoted[1:len(quoted)-1]))
}

// TestStderr_EncodedLines: lines in which a tool prints Base64 or hexadecimal digits are
// masked together, also on the terminal.
func TestStderr_EncodedLines(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("env-secret-value.", 9)
	for name, encoded := range redacttest.InLines(secret) {
		var terminal bytes.Buffer
		s := New(Config{Secrets: []string{secret}, Stderr: &terminal})
		url, _ := s.Add([]string{"server"})
		c := s.byURL[url]
		p := newProcess(c, 1, nil, &stderr{c: c, n: 1})
		c.alive = append(c.alive, p)
		for line := range strings.Lines("before\n" + encoded + "\nafter\n") {
			_, _ = p.stderr.Write([]byte(line))
		}
		c.ended(p, "exit status 0")
		got := strings.NewReplacer("*", "", "\n", "", "=", "", " ", "", ":", "").Replace(terminal.String())
		if got != "beforeafter" {
			t.Errorf("%s: %q", name, terminal.String())
		}
	}
}
