package spec

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// table has one file for each page, and reasons.txt. A file of a page begins with the
// path of the page and its title. A requirement is a block of lines after an empty one:
//
//	ID LEVEL PARTY #ANCHOR
//		Its text, one sentence.
//		rules: IDS
//		experiments: IDS
//		client: yes, unused, or a sentence about the missing part
//		samples: the same
//		lesson: SLUG
//		reason: A sentence, or @NAME of one in reasons.txt.
//		unseen: A sentence, or @NAME of one in reasons.txt.
//
// The fields are those of a Sentence; a field that is empty has no line. LEVEL is
// written with a hyphen: MUST-NOT.
//
//go:embed table/*.txt
var table embed.FS

// read reads the pages with these names. It returns an error that names the file and
// the line for anything that is no row.
func read(files fs.FS, names []string) ([]Page, error) {
	reasons := map[string]string{}
	err := lines(files, "reasons", func(_ int, line string) error {
		name, text, ok := strings.Cut(line, ": ")
		if !ok {
			return fmt.Errorf("%q has no name", line)
		}
		reasons["@"+name] = text
		return nil
	})
	if err != nil {
		return nil, err
	}
	var list []Page
	for _, name := range names {
		p := Page{Name: name}
		err := lines(files, name, func(n int, line string) error {
			switch {
			case n == 1:
				p.Path = line
			case n == 2:
				p.Title = line
			case line == "":
			case !strings.HasPrefix(line, "\t"):
				return p.begin(line)
			case len(p.Sentences) == 0:
				return fmt.Errorf("%q is in no requirement", line)
			default:
				return p.Sentences[len(p.Sentences)-1].set(line[1:], reasons)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// lines calls f for every line of a file.
func lines(files fs.FS, name string, f func(n int, line string) error) error {
	name = "table/" + name + ".txt"
	file, err := files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		if err := f(n, in.Text()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return in.Err()
}

// begin adds the requirement of a first line.
func (p *Page) begin(line string) error {
	words := strings.Fields(line)
	if len(words) != 4 || !strings.HasPrefix(words[3], "#") {
		return fmt.Errorf("%q is not ID LEVEL PARTY #ANCHOR", line)
	}
	p.Sentences = append(p.Sentences, Sentence{
		ID: words[0], Page: p.Path, Anchor: words[3][1:],
		Level: Level(strings.ReplaceAll(words[1], "-", " ")), Party: Party(words[2]),
	})
	return nil
}

// set sets what a further line says.
func (s *Sentence) set(line string, reasons map[string]string) error {
	if s.Text == "" {
		s.Text = line
		return nil
	}
	field, value, ok := strings.Cut(line, ": ")
	if strings.HasPrefix(value, "@") {
		value, ok = reasons[value]
	}
	if !ok || value == "" {
		return fmt.Errorf("%q is no field", line)
	}
	switch field {
	case "rules":
		s.Rules = strings.Fields(value)
	case "experiments":
		s.Experiments = strings.Fields(value)
	case "client":
		s.Client = value
	case "samples":
		s.Samples = value
	case "lesson":
		s.Lesson = value
	case "reason":
		s.Reason = value
	case "unseen":
		s.Unseen = value
	default:
		return fmt.Errorf("there is no field %q", field)
	}
	return nil
}
