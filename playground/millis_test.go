package playground

import (
	"math"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

func TestMilliseconds(t *testing.T) {
	const longest = math.MaxInt64 / time.Millisecond * time.Millisecond
	for text, want := range map[string]time.Duration{
		`0`: 0, `200`: 200 * time.Millisecond, `2e2`: 200 * time.Millisecond, `-1`: -time.Millisecond,
		`9223372036855`: longest, `9223372036854`: longest, `1e300`: longest, `-1e300`: -longest,
	} {
		n, err := jsontree.Parse([]byte(text), jsontree.Limits{})
		if got, ok := Milliseconds(n); err != nil || !ok || got != want {
			t.Errorf("%s: %s, %v, %v", text, got, ok, err)
		}
	}
	for _, text := range []string{`1.5`, `"200"`, `null`, `{}`} {
		n, _ := jsontree.Parse([]byte(text), jsontree.Limits{})
		if got, ok := Milliseconds(n); ok {
			t.Errorf("%s: %s", text, got)
		}
	}
	if _, ok := Milliseconds(nil); ok {
		t.Error("nothing is a number")
	}
}
