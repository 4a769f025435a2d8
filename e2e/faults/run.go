package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// group is the work of one process: the tests of one package or file.
type group struct {
	kind  kind
	in    string
	tests []string
}

// groups returns the tests of these kinds, each once, by where they are. Each
// fuzz test is a group of its own, because go test runs one at a time.
func groups(list []fault, kinds []kind) []group {
	var all []group
	for _, f := range list {
		for _, p := range f.proofs {
			if f.pending || !slices.Contains(kinds, p.kind) {
				continue
			}
			i := slices.IndexFunc(all, func(g group) bool {
				return g.kind == p.kind && g.in == p.in && (p.kind != fuzz || g.tests[0] == p.test)
			})
			if i < 0 {
				i, all = len(all), append(all, group{kind: p.kind, in: p.in})
			}
			if !slices.Contains(all[i].tests, p.test) {
				all[i].tests = append(all[i].tests, p.test)
			}
		}
	}
	return all
}

// runAll runs the groups one after the other. The result of a test is empty if
// it passed, and its output if not. What did not run has none.
func runAll(ctx context.Context, all []group, soak, fuzzing time.Duration) map[proof]string {
	results := map[proof]string{}
	tests := 0
	for _, g := range all {
		if g.kind == long {
			tests += len(g.tests)
		}
	}
	for _, g := range all {
		fmt.Fprintf(os.Stderr, "%s %s: %d tests\n", g.kind, g.in, len(g.tests))
		switch g.kind {
		case goTest:
			runGo(ctx, g, results)
		case long:
			share := soak / time.Duration(tests)
			runGo(ctx, g, results, "-timeout", "0", "-env", "MRTR_SOAK="+share.String())
		case fuzz:
			runFuzz(ctx, g, results, fuzzing)
		case e2e:
			runNode(ctx, g, results)
		}
	}
	return results
}

// event is a line of go test -json.
type event struct {
	Action, Test, Output string
}

// runGo runs the tests of a package without the race detector and notes the
// results of the tests and subtests of the group.
func runGo(ctx context.Context, g group, results map[proof]string, more ...string) {
	var names []string
	for _, test := range g.tests {
		name, _, _ := strings.Cut(test, "/")
		if name = regexp.QuoteMeta(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	args := []string{"test", "-json", "-count=1", "-run", "^(" + strings.Join(names, "|") + ")$"}
	env := os.Environ()
	if i := slices.Index(more, "-env"); i >= 0 {
		env, more = append(env, more[i+1:]...), more[:i]
	}
	cmd := exec.CommandContext(ctx, "go", append(append(args, more...), "./"+g.in)...)
	cmd.Env = env
	// The exit code is in the events: a package that was not built has no test.
	out, _ := cmd.CombinedOutput()
	readEvents(g, out, results)
}

// readEvents notes the results in the output of go test -json. If the output
// ends without a result of a test, that of the package is its failure.
func readEvents(g group, out []byte, results map[proof]string) {
	output, whole := map[string]string{}, ""
	for line := range bytes.Lines(out) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			whole += string(line)
			continue
		}
		if e.Test == "" || e.Action != "output" {
			whole += e.Output
		}
		for test := e.Test; test != ""; test, _, _ = cutLast(test) {
			output[test] += e.Output
		}
		p := proof{g.kind, g.in, e.Test}
		switch e.Action {
		case "pass":
			results[p] = ""
		case "fail":
			results[p] = "failed\n" + output[e.Test]
		case "skip":
			results[p] = "skipped\n" + output[e.Test]
		}
	}
	for _, test := range g.tests {
		p := proof{g.kind, g.in, test}
		if _, known := results[p]; !known && whole != "" {
			results[p] = "no result\n" + output[test] + whole
		}
	}
}

// cutLast returns a test without its last subtest, or nothing.
func cutLast(test string) (before, after string, found bool) {
	i := strings.LastIndex(test, "/")
	if i < 0 {
		return "", test, false
	}
	return test[:i], test[i+1:], true
}

func runFuzz(ctx context.Context, g group, results map[proof]string, fuzzing time.Duration) {
	out, err := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+g.tests[0]+"$",
		"-fuzztime", fuzzing.String(), "-fuzzminimizetime", "2s",
		"-parallel", "1", "./"+g.in).CombinedOutput()
	why := ""
	if err != nil {
		why = fmt.Sprintf("%v\n%s", err, out)
	}
	results[proof{fuzz, g.in, g.tests[0]}] = why
}

// suites are the results of Node.js, as JUnit XML.
type suites struct {
	Cases  []testCase `xml:"testcase"`
	Suites []suites   `xml:"testsuite"`
}

type testCase struct {
	Name    string    `xml:"name,attr"`
	Skipped *struct{} `xml:"skipped"`
	Failure *struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	} `xml:"failure"`
}

// runNode runs a file of e2e, all of it: tests of a file build on one another.
func runNode(ctx context.Context, g group, results map[proof]string) {
	node, err := filepath.Abs("e2e/node_modules/.bin/node")
	if err != nil {
		node = "node"
	}
	cmd := exec.CommandContext(ctx, node, "--test", "--test-force-exit", "--test-timeout=900000",
		"--test-reporter=junit", g.in)
	cmd.Dir = "e2e"
	out, failed := cmd.Output()
	if err := readSuites(g, out, results); err != nil {
		for _, test := range g.tests {
			results[proof{e2e, g.in, test}] = fmt.Sprintf("no result: %v, %v\n%s", failed, err, out)
		}
	}
}

// readSuites notes the results in JUnit XML.
func readSuites(g group, out []byte, results map[proof]string) error {
	var s suites
	if err := xml.Unmarshal(out, &s); err != nil {
		return err
	}
	s.note(g, results)
	return nil
}

func (s suites) note(g group, results map[proof]string) {
	for _, c := range s.Cases {
		why := ""
		switch {
		case c.Failure != nil:
			why = c.Failure.Message + "\n" + c.Failure.Text
		case c.Skipped != nil:
			why = "skipped"
		}
		results[proof{e2e, g.in, c.Name}] = why
	}
	for _, inner := range s.Suites {
		inner.note(g, results)
	}
}
