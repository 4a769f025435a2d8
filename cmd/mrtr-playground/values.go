package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const valuesHelp = `Values on the command line: the JSON of ARGUMENTS, -args, -answers, -edit and
-capabilities, and the headers of -header and -person.

  '{"a": 1}'       the value itself
  @FILE            the value is in FILE; of headers, each line is one. -answers
                   and -edit take a FILE without @ as well
  - or @-          the value comes on standard input, which can be read once
  ${NAME}          in a header, or in a string of a JSON value: the environment
                   variable NAME. One that is not set, or empty, is an error
  $${              the characters ${ themselves

A token is best given like this, in single quotes, so that neither the list of
processes nor the history of the shell has it:

  -header 'Authorization: Bearer ${TOKEN}'
`

const baselineHelp = `A baseline is an earlier report of check or client, as -report FILE.json or
-format json writes it. With -baseline REPORT the same command says first what
is new since then, what is gone, and what is not judged any more. What failed
there and fails still is marked as old, in every format; in JUnit it is skipped.

Exit codes: 0 nothing is worse, 1 something fails that did not fail in REPORT, 3
nothing was judged, or something was judged there and is not now. Lines are
matched by their ids. A baseline of check must be about the same tool, prompt or
resource; its URL does not matter.

To accept what is new, keep the new report as the baseline.
`

// values reads the values of one command line. A value stands there itself, or is in a file
// (@FILE) or comes on standard input (- or @-), which can be read once. ${NAME} in a header
// or in a string of a JSON value is an environment variable, and $${ is ${ itself.
type values struct {
	getenv func(string) string
	in     io.Reader
	reader string // the flag that has read standard input; empty for none
}

// maxValue is the largest value in a file or on standard input, in bytes.
const maxValue = 16 << 20

func newValues(getenv func(string) string) *values { return &values{getenv: getenv, in: os.Stdin} }

// source returns the text of the value of a flag, and the file that it is from, "" for the
// command line.
func (v *values) source(flag, value string) (data []byte, from string, err error) {
	file, isFile := strings.CutPrefix(value, "@")
	switch {
	case value == "-", value == "@-":
		if v.reader != "" {
			return nil, "", &usageError{fmt.Sprintf(
				"%s: standard input can be read once, and %s has read it", flag, v.reader)}
		}
		v.reader, from = flag, "standard input"
		data, err = io.ReadAll(io.LimitReader(v.in, maxValue+1))
	case isFile:
		from = file
		data, err = readUpTo(file, maxValue+1)
	default:
		return []byte(value), "", nil
	}
	switch {
	case err != nil:
		return nil, from, &usageError{fmt.Sprintf("%s: %v", flag, err)}
	case len(data) > maxValue:
		return nil, from, &usageError{fmt.Sprintf("%s: %s has more than %d bytes", flag, from, maxValue)}
	}
	return data, from, nil
}

// readUpTo returns the first bytes of a file.
func readUpTo(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

// object returns the JSON object that is the value of a flag.
func (v *values) object(flag, value string) (json.RawMessage, error) {
	data, from, err := v.source(flag, value)
	if err != nil {
		return nil, err
	}
	name := flag
	if from != "" {
		name += ", " + from + ","
	}
	if err := checkObject(data); err != nil {
		return nil, &usageError{name + " must be a JSON object: " + err.Error()}
	}
	expanded, err := jsontree.MapStrings(data, v.expand)
	if err != nil {
		return nil, &usageError{flag + ": " + err.Error()}
	}
	return expanded, nil
}

// fileOrObject is object for a flag whose value is also a file without the mark.
func (v *values) fileOrObject(flag, value string) (json.RawMessage, error) {
	if value != "-" && !strings.HasPrefix(value, "@") && !strings.HasPrefix(strings.TrimSpace(value), "{") {
		value = "@" + value
	}
	return v.object(flag, value)
}

// expand replaces the variables in a text.
func (v *values) expand(s string) (string, error) { return text.Expand(s, v.getenv) }

// headers adds the header fields of a flag: one, or one a line of a file.
func (v *values) headers(flag string, list *[]wire.Field) func(string) error {
	return func(value string) error {
		data, from, err := v.source(flag, value)
		if err != nil {
			return err
		}
		lines := []string{string(data)}
		if from != "" {
			lines = strings.Split(string(data), "\n")
		}
		for _, line := range lines {
			if line = strings.TrimRight(line, "\r"); from != "" && strings.TrimSpace(line) == "" {
				continue
			}
			expanded, err := v.expand(line)
			if err == nil {
				err = addHeader(list, expanded)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// answers returns the answers of -answers, by key; nil without the flag.
func (v *values) answers(value string) (map[string]json.RawMessage, error) {
	if value == "" {
		return nil, nil
	}
	object, err := v.fileOrObject("-answers", value)
	if err != nil {
		return nil, err
	}
	var answers map[string]json.RawMessage
	if err := json.Unmarshal(object, &answers); err != nil {
		return nil, fmt.Errorf("read answers: %w", err)
	}
	return answers, nil
}

// checkObject returns an error unless a text is a JSON object. It says where and why, and
// quotes the text at that place.
func checkObject(source json.RawMessage) error {
	node, err := jsontree.Parse(source, jsontree.Limits{})
	var syntax *jsontree.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line, column := jsontree.Position(source, syntax.Offset)
		before, after := source[:syntax.Offset], source[syntax.Offset:]
		const around = 20
		if n := len(before); n > around {
			before = before[n-around:]
		}
		return fmt.Errorf("line %d, column %d: %s, here: %s⟶ %s", line, column, syntax.Text,
			text.Visible(string(before), text.NoLimit), text.Visible(string(after), around))
	case err != nil:
		return err
	case node.Kind != jsontree.Object:
		return fmt.Errorf("it begins with %.1s and not with {", bytes.TrimSpace(source))
	}
	return nil
}
