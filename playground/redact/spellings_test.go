package redact_test

import (
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/redact/redacttest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Every spelling of the table is masked, and nothing else.
func TestMask_TableOfSpellings(t *testing.T) {
	for _, secret := range redacttest.Secrets {
		s := redact.New([]wire.Field{{Name: "X-Key", Value: secret}}, "", nil)
		for _, spelling := range redacttest.Spellings(secret) {
			for _, around := range [][2]string{{"", ""}, {"bad header: Basic ", " was sent"},
				{`{"error":"x","error_description":"`, `"}`}} {
				text := around[0] + spelling.Text + around[1]
				got := string(s.Mask([]byte(text)))
				if len(got) != len(text) || strings.Contains(got, spelling.Core) ||
					spelling.Shown(got[len(around[0]):]) > 0 ||
					!strings.HasPrefix(got, around[0]) || !strings.HasSuffix(got, around[1]) {
					t.Errorf("%s: %s became %s", spelling.Name, text, got)
				}
			}
		}
	}
}
