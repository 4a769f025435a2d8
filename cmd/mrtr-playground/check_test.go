package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
)

const resolve = `{"workItemId":4522,"fields":{"System.State":"Resolved"}}`

// checked runs check and gives its exit code and what it printed.
func checked(t *testing.T, args ...string) (int, []byte) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"check"}, args...), noEnv, &out, io.Discard)
	return exitCode(err, io.Discard), out.Bytes()
}

// TestCheck_TellsPlainFromSealed is the promise for build servers: the same
// tool, two protections, two exit codes.
func TestCheck_TellsPlainFromSealed(t *testing.T) {
	p := startProgram(t, t.TempDir())
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers, []byte(`{"duplicate_of":{"duplicateOfId":4301}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[string]int{"sealed": 0, "signed": 0, "plain": exitWrong} {
		code, out := checked(
			t, p.url+"/mcp/azure-devops?state="+mode, "--tool", "update_work_item", "--args", resolve,
			"-answers", answers, "-json",
		)
		var d lab.Document
		if err := json.Unmarshal(out, &d); err != nil {
			t.Fatal(err)
		}
		if code != want || d.OK != (want == 0) || d.Status != lab.Complete {
			t.Errorf("%s: exit code %d, %s, %+v", mode, code, d.Status, d.Summary)
		}
		for _, probe := range d.Results {
			if probe.Verdict == "fail" && probe.ID != "flip-state" {
				t.Errorf("%s: %s: %s", mode, probe.ID, probe.Text)
			}
		}
	}
}

func TestCheck_WritesJUnit(t *testing.T) {
	p := startProgram(t, t.TempDir())
	code, out := checked(
		t, "-junit", "-tool", "delete_records", "-args", `{"table":"orders"}`, p.url+"/mcp/confirm",
	)
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out, &suites); err != nil {
		t.Fatal(err)
	}
	if code != 0 || suites.Failures != 0 || len(suites.Suites) != 3 || suites.Tests < 50 {
		t.Errorf("exit code %d, %+v", code, suites)
	}
}

func TestCheck_ExitCodes(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for name, tt := range map[string]struct {
		code int
		args []string
	}{
		"no server":      {exitWrong, []string{"http://127.0.0.1:1/mcp", "-tool", "t"}},
		"no such tool":   {exitWrong, []string{p.url + "/mcp/confirm", "-tool", "nothing"}},
		"no MCP":         {exitWrong, []string{p.url + "/healthz", "-tool", "t"}},
		"no tool":        {exitUsage, []string{p.url + "/mcp/confirm"}},
		"no URL":         {exitUsage, []string{"-tool", "t"}},
		"two URLs":       {exitUsage, []string{"http://a/mcp", "-tool", "t", "http://b/mcp"}},
		"bad URL":        {exitUsage, []string{"ftp://a/mcp", "-tool", "t"}},
		"bad arguments":  {exitUsage, []string{p.url + "/mcp/confirm", "-tool", "t", "-args", "[]"}},
		"two forms":      {exitUsage, []string{p.url + "/mcp/confirm", "-tool", "t", "-json", "-junit"}},
		"broken on will": {exitWrong, []string{p.url + "/mcp/naughty", "-tool", "state_readable"}},
	} {
		if code, out := checked(t, tt.args...); code != tt.code {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
	}
}

func TestCheck_PrintsText(t *testing.T) {
	p := startProgram(t, t.TempDir())
	_, out := checked(t, p.url+"/mcp/wizard?state=plain", "-tool", "create_project")
	for _, want := range []string{"fail  flip-state", "pass  skip-answer", "complete: 1 fail"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestCheck_ReportHasNoTokens: a report is kept by build servers.
func TestCheck_ReportHasNoTokens(t *testing.T) {
	p := startProgram(t, t.TempDir())
	_, out := checked(t, p.url+"/mcp/azure-devops?state=signed", "-tool", "update_work_item", "-args",
		resolve, "-json",
		"-header", "Authorization: Bearer demo-alice", "-person", "Authorization: Bearer demo-bob")
	var d lab.Document
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"demo-alice", "demo-bob", "ZW1vLWFsaWN"} {
		if bytes.Contains(out, []byte(secret)) {
			t.Errorf("the report has %q", secret)
		}
	}
	for _, probe := range d.Results {
		if probe.ID == "state-of-another-person" && probe.Verdict != "pass" {
			t.Errorf("%s: %s", probe.Verdict, probe.Text)
		}
	}
}
