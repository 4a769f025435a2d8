package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed table.txt
var tableText string

// kind says which command runs a test and when.
type kind string

// The kinds of tests: Go tests, browser and process tests of Node.js, and Go
// fuzz tests. A long test runs in the soak with MRTR_SOAK set, which lets it do
// more; make test runs its short form.
const (
	goTest kind = "go"
	e2e    kind = "e2e"
	long   kind = "long"
	fuzz   kind = "fuzz"
)

// proof is one test that holds a fault.
type proof struct {
	kind kind
	in   string // package of Go, or file in e2e
	test string // function, with its subtest if it has one, or title
}

// fault is one row of the table.
type fault struct {
	number  int
	text    string
	pending bool // its test is not written yet
	proofs  []proof
}

// parseTable reads the table. An error names the line.
func parseTable(text string) ([]fault, error) {
	var list []fault
	scanner := bufio.NewScanner(strings.NewReader(text))
	for n := 1; scanner.Scan(); n++ {
		line := scanner.Text()
		words := strings.Fields(line)
		var err error
		switch {
		case len(words) == 0 || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, "\t"):
			var f fault
			if f, err = parseFault(line); err == nil {
				list = append(list, f)
			}
		case len(list) == 0:
			err = fmt.Errorf("a test before the first fault")
		default:
			err = list[len(list)-1].add(words)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return list, scanner.Err()
}

func parseFault(line string) (fault, error) {
	number, text, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(number)
	if err != nil || text == "" {
		return fault{}, fmt.Errorf("want a number and a sentence, not %q", line)
	}
	return fault{number: n, text: text}, nil
}

func (f *fault) add(words []string) error {
	if len(words) == 1 && words[0] == "pending" {
		f.pending = true
		return nil
	}
	if len(words) < 3 {
		return fmt.Errorf("want kind, place and test, not %q", words)
	}
	p := proof{kind(words[0]), words[1], strings.Join(words[2:], " ")}
	switch p.kind {
	case goTest, e2e, long, fuzz:
		f.proofs = append(f.proofs, p)
		return nil
	}
	return fmt.Errorf("unknown kind %q", words[0])
}
