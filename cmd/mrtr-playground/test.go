package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/expect"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

const testHelp = `usage: mrtr-playground test DIR|FILE... [flags]

Makes the calls of expectations again, with their answers, and compares what the
server asks and returns. An expectation is a .json file: the page of a finished
call makes one (Again, "Save as expectation"). A recording, the .json of a call,
expects everything as it was, but what is new in every response. Of a DIR all
.json files are read, in the order of their names.

{flags}

The strings of an expectation can have ${NAME}, an environment variable, in
place of a secret. "help values" has more on values.

Exit codes: 0 every expectation is met, 1 one is not, 2 usage error, or a file
is no expectation, 3 nothing was judged: no file, or no response to any call.
`

// testOptions are the settings of test.
type testOptions struct {
	callOptions
	paths   []string
	getenv  func(string) string
	format  string // of the output
	reports reportFiles
}

func parseTest(args []string, getenv func(string) string, stdout io.Writer) (testOptions, error) {
	o := testOptions{callOptions: callOptions{limits: localLimits()}, getenv: getenv}
	v := newValues(getenv)
	f := newFlags("test")
	f.StringVar(&o.url, "url", "", "")
	f.Func("stdio", "", o.stdio.add)
	f.Func("header", "", v.headers("-header", &o.header))
	f.StringVar(&o.certificate, "trust-certificate", "", "")
	f.DurationVar(&o.timeout, "timeout", 0, "")
	f.Func("limit", "", o.setLimit)
	f.Func("format", "", func(s string) error { return setFormat(&o.format, s) })
	f.Func("report", "", o.reports.add)
	f.BoolVar(&o.public, "public", false, "")
	o.signIn.flags(f)
	words, err := readFlags(f, args, getenv, stdout)
	if err != nil {
		return o, err
	}
	if o.paths = words; len(words) == 0 {
		return o, &usageError{"test needs a directory of expectations, or files; see test -help"}
	}
	if o.timeout < 0 {
		return o, &usageError{"-timeout must be above zero"}
	}
	if err := o.signIn.check(getenv); err != nil {
		return o, err
	}
	if o.stdio != nil && o.url != "" {
		return o, &usageError{"-stdio stands for -url"}
	}
	if o.certificate != "" && o.url == "" {
		return o, &usageError{"-trust-certificate needs -url"}
	}
	if err := o.useStdio(); err != nil {
		return o, err
	}
	if _, failure := wire.CheckURL(o.url, reachOf(o.public)); failure != nil && o.stdio == nil &&
		o.url != "" {
		return o, &usageError{"-url: " + failure.Detail}
	}
	return o, o.readTrust()
}

// testServer makes the calls of expectations again and prints the report.
func testServer(
	ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer,
) error {
	o, err := parseTest(args, getenv, stdout)
	if errors.Is(err, errHelp) {
		return nil
	}
	if err == nil {
		err = o.reports.check()
	}
	if err != nil {
		return err
	}
	tests, err := o.read()
	if err != nil {
		return err
	}
	for i := range tests {
		if err := o.run(ctx, &tests[i], stderr); err != nil {
			return err
		}
	}
	r := o.report(tests)
	write := func(w io.Writer, format string) error { return writeTests(w, tests, r, format) }
	if err := o.reports.write(write); err != nil {
		return err
	}
	if err := write(stdout, o.format); err != nil {
		return err
	}
	return exitError(r)
}

// test is one expectation and what came of it.
type test struct {
	id     string // its file, without the ending
	want   expect.Expectation
	header []wire.Field // of a recording
	call   playground.Call
	url    string
	f      playground.Transcript
	judged expect.Judgement
}

// read reads the files, in the order of their names.
func (o testOptions) read() ([]test, error) {
	var tests []test
	for _, path := range o.paths {
		files := []string{path}
		info, err := os.Stat(path)
		if err != nil {
			return nil, &usageError{err.Error()}
		}
		if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(globEscape(path), "*"+expect.Suffix)); err != nil {
				return nil, err
			}
			slices.Sort(files)
		}
		for _, file := range files {
			list, err := o.readFile(file)
			if err != nil {
				return nil, &usageError{fmt.Sprintf("%s: %v", file, err)}
			}
			tests = append(tests, list...)
		}
	}
	return tests, nil
}

// globEscape returns a path as a pattern that matches it.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// readFile reads an expectation, or a recording as one for each of its calls.
func (o testOptions) readFile(path string) ([]test, error) {
	data, err := readUpTo(path, int64(max(expect.MaxBytes, o.limits.pages.Session))+1)
	if err != nil {
		return nil, err
	}
	id := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), expect.Suffix), ".expectation")
	e, err := expect.Read(data)
	if err == nil {
		if e, err = e.Expand(o.getenv); err != nil {
			return nil, err
		}
		return []test{{id: id, want: e}}, nil
	}
	session, failed := export.Import(data, o.limits.pages.Session)
	if !errors.Is(err, expect.ErrFormat) || failed != nil {
		return nil, err
	}
	var list []test
	for i, x := range session.Exchanges {
		t := test{id: id, want: expect.Whole(x), header: x.Target.Header}
		if len(session.Exchanges) > 1 {
			t.id = fmt.Sprintf("%s-%d", id, i+1)
		}
		list = append(list, t)
	}
	return list, nil
}

// run makes the call of one expectation.
func (o testOptions) run(ctx context.Context, t *test, stderr io.Writer) error {
	if o.url == "" && t.want.URL == "" {
		return &usageError{"the expectation " + t.id + " has no URL of a server; give -url or -stdio"}
	}
	if o.url == "" && wire.IsCommand(t.want.URL) {
		return &usageError{"the expectation " + t.id + " is about a command; give it with -stdio"}
	}
	r, err := newRepetition(o.callOptions, t.want, t.header, stderr)
	if err != nil {
		return err
	}
	defer r.close()
	t.call, t.url = r.x.Call, r.x.Target.URL
	if t.f, err = r.run(ctx); err != nil {
		return fmt.Errorf("%s: %w", t.id, err)
	}
	t.judged = t.want.Judge(t.f)
	return nil
}

// report returns the report on all expectations.
func (o testOptions) report(tests []test) verdict.Report {
	r := verdict.Report{
		Name: "mrtr-playground test", Title: strings.Join(o.paths, ", "), Party: "server",
		Progress: verdict.Progress{Done: true},
	}
	missed, gaps := 0, map[string]bool{}
	for _, t := range tests {
		r.Groups = append(r.Groups, t.group())
		counts := r.Groups[len(r.Groups)-1].Counts()
		if counts.Failed > 0 {
			missed++
		}
		gap := t.judged.Gap
		if gap == "" && counts.Failed == 0 && !t.judged.Met() {
			gap = "Not every condition of " + t.id + " could be judged."
		}
		if gap != "" && !gaps[gap] {
			gaps[gap] = true
			r.Gaps = append(r.Gaps, gap)
		}
	}
	n := len(tests)
	r.Keeps = fmt.Sprintf("All %d expectations are met", n)
	r.Fails = fmt.Sprintf("%d of %d expectations are not met", missed, n)
	if n == 1 {
		r.Keeps, r.Fails = "The expectation is met", "The expectation is not met"
	}
	if n == 0 {
		r.Gaps = append(r.Gaps, "There is no expectation: no .json file.")
	}
	return r
}

// group returns the conditions of the expectation as lines, with what was expected and what
// came beside each other.
func (t test) group() verdict.Group {
	return verdict.Group{
		ID: t.id, Title: t.title(), Label: t.id, Class: "mrtr.expectation." + t.id, Noun: "Condition",
		Ordered: true, Lines: t.judged.Lines,
		Exhibit: expect.Beside(t.want.Steps(), expect.Came(t.call, t.f)),
	}
}

// title names the expectation.
func (t test) title() string {
	name := text.Visible(t.want.Name, 120)
	if name == "" || name == t.id {
		return t.id
	}
	return t.id + ": " + name
}

// testsDocument is the output of -format json. Its fields are stable.
type testsDocument struct {
	verdict.Document
	Expectations []testDocument `json:"expectations"`
}

type testDocument struct {
	ID          string                 `json:"id"`
	Name        string                 `json:"name,omitempty"`
	URL         string                 `json:"url"`
	Method      string                 `json:"method"`
	Met         bool                   `json:"met"`
	Lines       []verdict.LineDocument `json:"conditions"`
	Expected    []string               `json:"expected"` // the messages, in words
	Came        []string               `json:"came"`
	Differences []expect.Difference    `json:"differences"`
	Rounds      []lab.RoundDocument    `json:"rounds"`
}

func writeTests(w io.Writer, tests []test, r verdict.Report, format string) error {
	if format != "json" {
		return writeVerdict(w, r, format)
	}
	d := testsDocument{Document: r.Document(), Expectations: []testDocument{}}
	for i, t := range tests {
		d.Expectations = append(d.Expectations, testDocument{
			ID: t.id, Name: t.want.Name, URL: t.url, Method: t.call.Method, Met: t.judged.Met(),
			Lines: r.Groups[i].Documents(), Expected: t.want.Steps(), Came: expect.Came(t.call, t.f),
			Differences: append([]expect.Difference{}, t.judged.Differences...), Rounds: lab.NewRounds(t.f),
		})
	}
	return verdict.WriteJSON(w, d)
}
