package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// BenchmarkMask_LongSecret measures masking a body of 1 MiB with a secret of 16 KiB, of which it has
// the beginnings, beside the same with a short secret, turn by turn in one run.
func BenchmarkMask_LongSecret(b *testing.B) {
	secret := strings.Repeat("A", 16<<10)
	with := func(value string) *redact.Secrets {
		return redact.New([]wire.Field{{Name: "Authorization", Value: "Bearer " + value}}, "", nil)
	}
	for name, part := range map[string]string{
		"text":   `{"name":"resolve_work_item","text":"Bug #4522 resolved as \"Duplicate\"","n":1.5},`,
		"heads":  secret[1:] + "!",
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)),
		"hex":    hex.EncodeToString([]byte(secret[1:] + "!")),
	} {
		body := []byte(strings.Repeat(part, 1<<20/len(part)))
		b.Run(name, func(b *testing.B) {
			var long, short []time.Duration
			for b.Loop() {
				for list, value := range map[*[]time.Duration]string{&long: secret, &short: "planted-token"} {
					begun := time.Now()
					with(value).Mask(body)
					*list = append(*list, time.Since(begun))
				}
			}
			median := func(list []time.Duration) float64 {
				slices.Sort(list)
				return float64(list[len(list)/2])
			}
			b.ReportMetric(median(long)/1e6, "ms/long-secret")
			b.ReportMetric(median(short)/1e6, "ms/short-secret")
			b.ReportMetric(median(long)/median(short), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
