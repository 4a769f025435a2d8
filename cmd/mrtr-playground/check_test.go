package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
)

const resolve = `{"workItemId":4522,"fields":{"System.State":"Resolved"}}`

// checked runs check and gives its exit code and its output.
func checked(t *testing.T, args ...string) (int, []byte) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"check"}, args...), patient, &out, io.Discard)
	return exitCode(err, io.Discard), out.Bytes()
}

// TestCheck_TellsPlainFromSealed is the promise for build servers: the same
// tool, two protections, two exit codes.
func TestCheck_TellsPlainFromSealed(t *testing.T) {
	p := startProgram(t, t.TempDir())
	answers := answersFile(t,
		`{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`)
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

func TestCheck_WritesMarkdown(t *testing.T) {
	p := startProgram(t, t.TempDir())
	code, out := checked(
		t, "-format", "md", "-tool", "delete_records", "-args", `{"table":"orders"}`, p.url+"/mcp/confirm",
	)
	for _, want := range []string{"## The answers", "MUST 400, \\-32020 | 400 ", "✓ passed", "## Rules"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("exit code %d, no %q in\n%s", code, want, out)
		}
	}
}

func TestCheck_ExitCodes(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for name, tt := range map[string]struct {
		code int
		args []string
	}{
		"no server":      {exitControl, []string{"http://127.0.0.1:1/mcp", "-tool", "t"}},
		"no such tool":   {exitControl, []string{p.url + "/mcp/confirm", "-tool", "nothing"}},
		"no MCP":         {exitControl, []string{p.url + "/healthz", "-tool", "t"}},
		"no tool":        {exitUsage, []string{p.url + "/mcp/confirm"}},
		"no URL":         {exitUsage, []string{"-tool", "t"}},
		"two URLs":       {exitUsage, []string{"http://a/mcp", "-tool", "t", "http://b/mcp"}},
		"bad URL":        {exitUsage, []string{"ftp://a/mcp", "-tool", "t"}},
		"bad arguments":  {exitUsage, []string{p.url + "/mcp/confirm", "-tool", "t", "-args", "[]"}},
		"two forms":      {exitUsage, []string{p.url + "/mcp/confirm", "-tool", "t", "-json", "-junit"}},
		"no such format": {exitUsage, []string{p.url + "/mcp/confirm", "-tool", "t", "-format", "pdf"}},
		"two offers":     {exitUsage, []string{"http://a/mcp", "-tool", "t", "-prompt", "p"}},
		"tool error":     {exitControl, []string{p.url + "/mcp/before-mrtr", "-tool", "update_work_item"}},
		"never ends":     {exitWrong, []string{p.url + "/mcp/naughty", "-tool", "same_question_forever"}},
		"broken on will": {exitWrong, []string{p.url + "/mcp/naughty", "-tool", "state_readable"}},
	} {
		if code, out := checked(t, tt.args...); code != tt.code {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
	}
}

// TestCheck_MadeUpAnswers: a right server passes without answers, though one that is made
// up on the way to more rounds gets a tool error; and no report ends in an empty list.
func TestCheck_MadeUpAnswers(t *testing.T) {
	p := startProgram(t, t.TempDir())
	for server, want := range map[string]string{
		"azure-devops": "another choice, made ", "before-mrtr": "complete: only the correct call was made",
	} {
		code, out := checked(t, p.url+"/mcp/"+server, "-tool", "update_work_item", "-args", resolve,
			"-wait", "1ms")
		if code != 0 || !strings.Contains(string(out), want) {
			t.Errorf("%s: exit code %d\n%s", server, code, out)
		}
	}
}

// TestCheck_LegacyServer is judged by its own era, and only the right call is
// made.
func TestCheck_LegacyServer(t *testing.T) {
	p := startProgram(t, t.TempDir())
	code, out := checked(t, p.url+"/mcp/before-mrtr", "-tool", "update_work_item", "-args", resolve, "-json")
	var d lab.Document
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatal(err)
	}
	if code != 0 || !d.OK || d.Era != "legacy" || len(d.Results) != 0 || len(d.Findings) == 0 {
		t.Errorf("exit code %d, %+v, %d probes", code, d.Summary, len(d.Results))
	}
	for _, f := range d.Findings {
		if rule, _ := rules.ByID(f.Rule); !rule.Legacy {
			t.Errorf("%s is a rule of 2026-07-28", f.Rule)
		}
	}
}

func TestCheck_PromptsAndResources(t *testing.T) {
	p := startProgram(t, t.TempDir())
	_, listed := checkedJSON(t, "call", p.url+"/mcp/prompt-resource", "-json")
	for flag, name := range map[string]string{"-prompt": listed.Prompts[0].Name,
		"-resource": listed.Resources[0].URI} {
		arguments := map[string]string{}
		for _, argument := range listed.Prompts[0].Arguments {
			arguments[argument] = "x"
		}
		text, _ := json.Marshal(arguments)
		code, out := checked(t, p.url+"/mcp/prompt-resource", flag, name, "-args", string(text), "-json")
		var d lab.Document
		if err := json.Unmarshal(out, &d); err != nil {
			t.Fatal(err)
		}
		if code != 0 || !strings.Contains(d.Control, name) || d.Status != lab.Complete {
			t.Errorf("%s %s: exit code %d, %s %+v", flag, name, code, d.Control, d.Summary)
		}
	}
}

// checkedJSON runs a command that lists a server.
func checkedJSON(t *testing.T, command, url string, args ...string) (int, connectionReport) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append(append([]string{command}, args...), url), patient, &out, io.Discard)
	var report connectionReport
	if failed := json.Unmarshal(out.Bytes(), &report); failed != nil {
		t.Fatal(failed)
	}
	return exitCode(err, io.Discard), report
}

func TestCheck_PrintsText(t *testing.T) {
	p := startProgram(t, t.TempDir())
	_, out := checked(t, p.url+"/mcp/wizard?state=plain", "-tool", "create_project")
	for _, want := range []string{"✕ failed         MUST       Flip one byte of the state",
		"✓ passed         SHOULD     Skip an answer",
		"asked again for ", "complete: 1 failed", "rules: "} {
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
