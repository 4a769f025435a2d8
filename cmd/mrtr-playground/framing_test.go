package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
)

// TestStdio_OtherFraming: the terminal names the fault of a line, and check
// counts it as a violation.
func TestStdio_OtherFraming(t *testing.T) {
	for _, form := range []string{"header", "indented"} {
		out, err := called(t, "-stdio", serverCommand(form))
		if err == nil || !strings.Contains(out, "bad_line") {
			t.Errorf("%s: call: %v\n%s", form, err, out)
		}
		code, report := checked(t, "-stdio", serverCommand(form), "-tool", "pid")
		if code != exitWrong || !bytes.Contains(report, []byte("line-server")) {
			t.Errorf("%s: check: exit code %d\n%s", form, code, report)
		}
	}
	var out, notices bytes.Buffer
	err := run(t.Context(), []string{"call", "-stdio", strings.Join(linestest.Words("log"), " "), "pid"},
		noEnv, &out, &notices)
	if err != nil || !strings.Contains(notices.String(),
		"mrtr-playground: A line of the command is not a JSON message: “Server ready") {
		t.Errorf("%v\n%s\n%s", err, out.String(), notices.String())
	}
}
