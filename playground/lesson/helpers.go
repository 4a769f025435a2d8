package lesson

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// definition is a function, type or variable of a program. It is found by the
// layout of the source: a first line that declares it, and all that is indented
// below.
type definition struct {
	file   string
	name   string
	called bool   // a function: code names it with an opening parenthesis
	lines  span   // with the comment above
	source string // without markers
	said   said
}

// span is a range of lines of a file, from 0; end is not included.
type span struct{ first, end int }

func (s span) overlaps(other span) bool { return s.first < other.end && other.first < s.end }

// declarations match the first line of a definition, by the ending of the file.
// The group "called" or "value" is its name.
var declarations = map[string]*regexp.Regexp{
	".go": regexp.MustCompile(`^func (?:\(\w+ [^)]*\) )?(?P<called>\w+)\(` +
		`|^(?:type|var|const) (?P<value>\w+) (?:= |struct\b)`),
	".ts": regexp.MustCompile(`^(?:async )?function (?P<called>\w+)\(` +
		`|^const (?P<called>\w+)(?:: Tool)? = (?:async )?\(` +
		`|^(?:const|let|type) (?P<value>\w+)(?:: [^=]+)? =`),
	".py": regexp.MustCompile(`^(?:async )?def (?P<called>\w+)\(|^class (?P<value>\w+)\b` +
		`|^(?P<value>\w+)(?:: [^=]+)? = `),
	".cs": regexp.MustCompile(`^using (?P<value>\w+) =|^public sealed record (?P<called>\w+)\(` +
		`|^ {4}(?:public|private) [\w<>?\[\], ]+? (?:(?P<called>\w+)\(|(?P<value>\w+) =)`),
}

// lineComments begin a comment, by the ending of the file.
var lineComments = map[string]string{".go": "//", ".ts": "//", ".cs": "//", ".py": "#"}

// definitions returns the definitions of a file.
func definitions(file, source string) []definition {
	ext := path.Ext(file)
	lines := strings.Split(source, "\n")
	isComment := func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), lineComments[ext]) && !marker.MatchString(line)
	}
	var found []definition
	for i := 0; i < len(lines); i++ {
		name, called := declared(ext, lines[i])
		if name == "" {
			continue
		}
		d := definition{file: file, name: name, called: called, lines: span{i, blockEnd(lines, i)}}
		i = d.lines.end - 1
		for d.lines.first > 0 && isComment(lines[d.lines.first-1]) {
			d.lines.first--
		}
		shown := slices.Clone(lines[d.lines.first:d.lines.end])
		d.source = outdent(slices.DeleteFunc(shown, marker.MatchString))
		d.said = readNames(ext, d.source)
		found = append(found, d)
	}
	return found
}

// declared returns the name that a line declares, or "".
func declared(ext, line string) (name string, called bool) {
	match := declarations[ext].FindStringSubmatch(line)
	for n, group := range declarations[ext].SubexpNames() {
		if group != "" && match != nil && match[n] != "" {
			return match[n], group == "called"
		}
	}
	return "", false
}

// sameBlock matches a line that belongs to the block although it is not indented:
// a bracket or a label.
var sameBlock = regexp.MustCompile(`^(?:[{})\]]|\w+:$)`)

// blockEnd returns the line after a block: after all lines that are indented more
// than its first one, and those of sameBlock.
func blockEnd(lines []string, first int) int {
	end := first + 1
	for i := end; i < len(lines); i++ {
		rest := strings.TrimLeft(lines[i], " \t")
		depth := indent(lines[i]) - indent(lines[first])
		switch {
		case rest == "":
		case depth > 0, depth == 0 && sameBlock.MatchString(rest):
			end = i + 1
		default:
			return end
		}
	}
	return end
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// helpers returns the source of the definitions that an excerpt needs and does not
// show: first those that its own functions name, then those that these name, and
// so on. The excerpt has the spans of the file.
func helpers(all []definition, file string, spans []span) string {
	seen := map[int]bool{}
	var queue []int
	for i, d := range all {
		if d.file == file && slices.ContainsFunc(spans, d.lines.overlaps) {
			seen[i] = true
			queue = append(queue, i)
		}
	}
	own := len(queue)
	for at := 0; at < len(queue); at++ {
		for i, d := range all {
			if !seen[i] && all[queue[at]].names(d) {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	var out strings.Builder
	for n, i := range queue[own:] {
		if d := all[i]; n > 0 && !d.follows(all[queue[own+n-1]]) {
			out.WriteString("\n")
		}
		out.WriteString(all[i].source)
	}
	return out.String()
}

// follows reports whether d stands directly below another definition.
func (d definition) follows(other definition) bool {
	return d.file == other.file && d.lines.first == other.lines.end
}

var (
	receiver    = regexp.MustCompile(`(?m)^func \(\w+ [^)]*\)`)
	plainString = regexp.MustCompile(`"[^"{\n]*"|'[^'{\n]*'`)
)

// names reports whether the code of d names another definition, or a comment of d
// says "see" and its name.
func (d definition) names(other definition) bool {
	return d.said.sees[other.name] || other.called && d.said.calls[other.name] ||
		!other.called && d.said.words[other.name]
}

// said are the names in a definition.
type said struct {
	sees  map[string]bool // that a comment says to see
	calls map[string]bool // before an opening parenthesis
	words map[string]bool // not members of something
}

var (
	seesName  = regexp.MustCompile(`\b[Ss]ee (\w+)`)
	callsName = regexp.MustCompile(`\b(\w+)\(`)
	wordName  = regexp.MustCompile(`(?:^|[^.\w-])(\w+)`)
)

// readNames returns the names in the source of a file with that ending. Names in
// strings do not count, nor do those in other comments.
func readNames(ext, source string) said {
	var code strings.Builder
	for line := range strings.Lines(source) {
		begin, _, _ := strings.Cut(line, lineComments[ext])
		code.WriteString(begin + "\n")
	}
	text := plainString.ReplaceAllString(receiver.ReplaceAllString(code.String(), "func"), "")
	return said{allOf(seesName, source), allOf(callsName, text), allOf(wordName, text)}
}

// allOf returns the first groups of all matches.
func allOf(pattern *regexp.Regexp, text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found[match[1]] = true
	}
	return found
}
