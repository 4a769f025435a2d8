package share

import (
	"bytes"
	"regexp"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// maskPattern matches the stars that stand for a masked value.
var maskPattern = regexp.MustCompile(`\*{8,}`)

// Masks returns the runs of stars in the requests of a recording, the longest
// first. Each stands for a masked value; a curl command reads the value from a
// shell variable instead.
func Masks(x playground.Exchange) []string {
	seen := map[string]bool{}
	longest := 0
	for _, e := range x.Log {
		if e.Kind != playground.Sent {
			continue
		}
		for _, m := range maskPattern.FindAll(e.Data, -1) {
			seen[string(m)] = true
			longest = max(longest, len(m))
		}
	}
	var list []string
	for n := longest; n >= minValue; n-- {
		if text := string(bytes.Repeat([]byte("*"), n)); seen[text] {
			list = append(list, text)
		}
	}
	return list
}
