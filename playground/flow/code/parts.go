package code

import (
	"embed"
	"path"
	"strings"
)

//go:embed parts
var partFiles embed.FS

// part returns a file of folder parts with the needed lines. Its lines that
// begin with % are instructions:
//
//	%if a|b, %if !a   the lines up to the matching %end are there if one of the
//	                  needs is there, or if it is not
//	%name             is replaced by the text of that name, which can have lines
//
// Within a line, %{name} is replaced.
func part(file string, needs map[string]bool, texts map[string]string) string {
	source, err := partFiles.ReadFile(path.Join("parts", file))
	if err != nil {
		panic("code: " + err.Error()) // the files are part of the program
	}
	var b strings.Builder
	var open []bool // whether the lines of each %if are there
	for line := range strings.Lines(string(source)) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case word == "%if":
			open = append(open, holds(rest, needs) && (len(open) == 0 || open[len(open)-1]))
		case word == "%end":
			open = open[:len(open)-1]
		case len(open) > 0 && !open[len(open)-1]:
		case strings.HasPrefix(word, "%") && !strings.HasPrefix(word, "%{"):
			b.WriteString(texts[word[1:]])
		default:
			b.WriteString(filled(line, texts))
		}
	}
	return squeezed(b.String())
}

func holds(condition string, needs map[string]bool) bool {
	for name := range strings.SplitSeq(condition, "|") {
		plain, isNot := strings.CutPrefix(name, "!")
		if needs[plain] != isNot {
			return true
		}
	}
	return false
}

// filled replaces the names in braces. The inserted texts are not looked at
// again.
func filled(line string, texts map[string]string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(line, "%{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		b.WriteString(texts[name])
		line = after
	}
}

// squeezed leaves at most two empty lines where parts were left out, and none at
// the end.
func squeezed(s string) string {
	for strings.Contains(s, "\n\n\n\n") {
		s = strings.ReplaceAll(s, "\n\n\n\n", "\n\n\n")
	}
	return strings.TrimRight(s, "\n") + "\n"
}
