package lesson

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Listing is a small program that readers can copy.
type Listing struct {
	File    string // below listings/
	Name    string // of the language
	About   string // the library and its version
	Source  string
	Called  string // what the lines call and use, from the same program; empty for nothing
	Checked string // how it is tested
	html    func() string
	helpers func() string // nil without helpers
}

// HTML returns the listing, highlighted.
func (l Listing) HTML() string { return l.html() }

// Helpers returns the text of Called, highlighted; "" for nothing.
func (l Listing) Helpers() string {
	if l.helpers == nil {
		return ""
	}
	return l.helpers()
}

// Language returns the language in lower-case letters, as the pages name its
// tab: "go", "typescript", "python" or "csharp".
func (l Listing) Language() string { return strings.ReplaceAll(strings.ToLower(l.Name), "#", "sharp") }

// readListings parses "file | language | library and version | how it is
// checked".
func readListings(values []string) ([]Listing, error) {
	var list []Listing
	for _, value := range values {
		parts := strings.Split(value, "|")
		if len(parts) != 4 {
			return nil, fmt.Errorf("listing %q: want four parts", value)
		}
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		l := Listing{File: parts[0], Name: parts[1], About: parts[2], Checked: parts[3]}
		data, err := files.ReadFile(path.Join("listings", l.File))
		if err != nil {
			return nil, fmt.Errorf("listing: %w", err)
		}
		l.Source = string(data)
		if l.html, err = highlightLater(path.Ext(l.File)[1:], l.Source); err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

// maxLines limits what a lesson shows of a program.
const maxLines = 20

// program is a runnable program of which every lesson shows a few lines.
type program struct {
	name, about, checked string
	files                []string // below listings/
}

// programs are in the order of the tabs.
var programs = []program{
	{"Go", "go-sdk v1.8.0", "The tests of this site compile the whole program and drive it.",
		[]string{"go/lessons/main.go", "go/lessons/tasks.go", "go/lessons/client.go"}},
	{"TypeScript", "@modelcontextprotocol/server 2.4.0",
		"Built on the SDK's low-level Server, which can return JSON-RPC errors. " +
			"The tests of this site run the whole program on Node.js 22 and drive it.",
		[]string{"typescript/lessons.ts"}},
	{"Python", "mcp 2.3.0", "Read against the documentation and source of mcp 2.0.0. " +
		"The tests of this site compile it and do not run it.", []string{"python/lessons.py"}},
	{"Python", "the standard library", "The tests of this site run it against the server in Go.",
		[]string{"python/client.py"}},
	{"C#", "ModelContextProtocol.AspNetCore 2.4.0",
		"Read against the documentation and source of version 2.2.0. " +
			"The tests of this site neither compile nor run it.",
		[]string{"csharp/Lessons.cs"}},
}

// addLines fills in the lines of each lesson.
func addLines(lessons []Lesson) error {
	for _, p := range programs {
		sources, all, err := p.read()
		if err != nil {
			return fmt.Errorf("lines: %w", err)
		}
		for _, file := range p.files {
			shown, err := excerpts(sources[file])
			if err != nil {
				return fmt.Errorf("lines of %s: %w", file, err)
			}
			for i := range lessons {
				x, ok := shown[lessons[i].Slug]
				if !ok {
					continue
				}
				if err := lessons[i].addLines(p, file, x.source, helpers(all, file, x.spans)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// read returns the sources of a program by file, and its definitions.
func (p program) read() (map[string]string, []definition, error) {
	sources, all := map[string]string{}, []definition(nil)
	for _, file := range p.files {
		data, err := files.ReadFile(path.Join("listings", file))
		if err != nil {
			return nil, nil, err
		}
		sources[file] = string(data)
		all = append(all, definitions(file, sources[file])...)
	}
	return sources, all, nil
}

func (l *Lesson) addLines(p program, file, source, helpers string) error {
	x := Listing{
		File: file, Name: p.name, About: p.about, Source: source, Called: helpers, Checked: p.checked,
	}
	var err error
	if x.html, err = highlightLater(path.Ext(file)[1:], source); err != nil {
		return err
	}
	if helpers != "" {
		if x.helpers, err = highlightLater(path.Ext(file)[1:], helpers); err != nil {
			return err
		}
	}
	l.Lines = append(l.Lines, x)
	return nil
}

// marker matches the comment that begins or ends an excerpt, with its slug.
var marker = regexp.MustCompile(`^\s*(?://|#) \[(/?)([a-z-]+)\]$`)

// excerpt is the part of a file that a lesson shows: its source, and where that
// stands.
type excerpt struct {
	source string
	spans  []span
}

// excerpts returns the marked lines of a program by slug, without their common
// indentation. An excerpt can have several parts; an empty line separates them.
func excerpts(source string) (map[string]excerpt, error) {
	shown := map[string]excerpt{}
	var open string
	var first int
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		m := marker.FindStringSubmatch(line)
		switch {
		case m == nil:
		case m[1] == "" && open == "":
			open, first = m[2], i+1
		case m[1] == "/" && open == m[2]:
			x := shown[open]
			x.source = strings.TrimPrefix(x.source+"\n"+outdent(lines[first:i]), "\n")
			x.spans = append(x.spans, span{first, i})
			shown[open], open = x, ""
		default:
			return nil, fmt.Errorf("misplaced marker %q", strings.TrimSpace(line))
		}
	}
	if open != "" {
		return nil, fmt.Errorf("[%s] is not closed", open)
	}
	return shown, nil
}

// outdent removes the indentation that all lines share, and empty lines at both
// ends. The result ends with a line break.
func outdent(lines []string) string {
	shared := -1
	for _, line := range lines {
		if indent := len(line) - len(strings.TrimLeft(line, " \t")); line != "" &&
			(shared < 0 || indent < shared) {
			shared = indent
		}
	}
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(line[min(len(line), max(shared, 0)):] + "\n")
	}
	return strings.Trim(out.String(), "\n") + "\n"
}
