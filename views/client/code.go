package client

import (
	"strings"
)

// CodeText is a part of a sentence, which may be code.
type CodeText struct {
	Text string
	Code bool
}

// CodeTexts splits a sentence with code in backticks.
func CodeTexts(s string) []CodeText {
	var list []CodeText
	for i, part := range strings.Split(s, "`") {
		if part != "" {
			list = append(list, CodeText{part, i%2 == 1})
		}
	}
	return list
}
