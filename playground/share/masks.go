package share

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// maskPattern matches the stars that stand for a masked value.
var maskPattern = regexp.MustCompile(`\*{8,}`)

// CurlMasks returns the masks of a recording for a curl command, which reads
// each secret from the shell variable TOKEN.
func CurlMasks(x playground.Exchange) []export.Mask {
	var list []export.Mask
	for _, value := range Masks(x) {
		list = append(list, export.Mask{Value: value, Name: "TOKEN"})
	}
	return list
}

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
	for n := longest; n >= redact.MinSecret; n-- {
		if text := string(bytes.Repeat([]byte("*"), n)); seen[text] {
			list = append(list, text)
		}
	}
	return list
}

// IsMasked reports whether a part of a text, such as a URL, is masked.
func IsMasked(text string) bool { return strings.Contains(text, "***") }

// IsRedacted reports whether a recording came without the whole URL of its
// server, so that nothing can be sent there.
func IsRedacted(x playground.Exchange) bool {
	return x.Target.Sample == "" && len(x.Sealed) == 0 && len(x.Target.Sealed) == 0 &&
		IsMasked(x.Target.URL)
}
