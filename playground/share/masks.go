package share

import (
	"regexp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
)

// CurlMasks returns the masks of a recording for a curl command, which reads each
// secret from the shell variable TOKEN.
func CurlMasks(x playground.Exchange) []export.Mask {
	var list []export.Mask
	for _, value := range Masks(x) {
		list = append(list, export.Mask{Value: value, Name: "TOKEN"})
	}
	return list
}

// Masks are the texts in a recording that stand where something was masked, the
// longest first: a command that sends a request again reads the secret from a
// variable there.
func Masks(x playground.Exchange) []string {
	stars := regexp.MustCompile(`\*{8,}`)
	seen := map[string]bool{}
	longest := 0
	for _, e := range x.Log {
		if e.Kind != playground.Sent {
			continue
		}
		for _, m := range stars.FindAll(e.Data, -1) {
			seen[string(m)] = true
			longest = max(longest, len(m))
		}
	}
	var list []string
	for n := longest; n >= 8; n-- {
		if text := string(starsOf(n)); seen[text] {
			list = append(list, text)
		}
	}
	return list
}

func starsOf(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = '*'
	}
	return b
}
