package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// BenchmarkMask takes bodies of 1 MiB: an ordinary one, and ones that a stranger
// would choose.
func BenchmarkMask(b *testing.B) {
	s := redact.New([]wire.Field{{Name: "Authorization", Value: "Bearer planted-token-0123456789"}}, "", nil)
	fill := func(part string) string { return strings.Repeat(part, 1<<20/len(part)) }
	for name, body := range map[string]string{
		"ordinary": fill(`{"name":"resolve_work_item","text":"Bug #4522 resolved as ` +
			`\"Duplicate\"","n":1.5},`),
		"escapes":  fill(`\\\\u0070%2525&#x26;#37;`),
		"prefixes": fill("planted-tok"),
		"base64":   fill("cGxhbnRlZC10b2tlbi0"),
		"hex":      fill("706c616e7465642d"),
		"words":    fill("aaaaaaaaaaaa "),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				s.Mask([]byte(body))
			}
		})
	}
	b.Run("New", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			redact.New([]wire.Field{{Name: "X-Key", Value: fmt.Sprint("planted-token-", i)}}, "", nil)
		}
	})
}
