package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// finished makes an Azure DevOps call through the pages to its end, and returns its address.
func finished(t *testing.T, p *program) string {
	t.Helper()
	res, err := http.PostForm(p.url+"/exchanges", url.Values{"sample": {"azure-devops"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	address := p.url + res.Request.URL.Path
	for round, value := range []string{"Duplicate", "4301"} {
		res, err := http.PostForm(address+"/rounds", url.Values{
			"round": {string(rune('1' + round))}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {value},
		})
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	return address
}

// download writes what is at an address to a file.
func download(t *testing.T, address, file string) {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v\n%s", address, res.StatusCode, err, data)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tested runs the command test.
func tested(t *testing.T, args ...string) (code int, out, told string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = exitCode(run(t.Context(), append([]string{"test"}, args...), patient, &stdout, &stderr), &stderr)
	return code, stdout.String(), stderr.String()
}

// TestTest: the file of a call's page is met by the same call, and missed by one that asks or
// returns something else; then both sequences are shown.
func TestTest(t *testing.T) {
	p := startProgram(t, t.TempDir())
	call, dir := finished(t, p), t.TempDir()
	file := filepath.Join(dir, "b.expectation.json")
	download(t, call+"/expectation.json?must=1.0.message&must=1.0.schema&must=text.0", file)
	download(t, call+".json", filepath.Join(dir, "a.json")) // a recording
	code, out, told := tested(t, dir)
	if code != 0 || out != "a: 3 passed\nb: 6 passed\nAll 2 expectations are met.\n" {
		t.Fatalf("exit code %d\n%s%s", code, out, told)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "c.json")
	changed := bytes.Replace(text, []byte(`"resolution": "Duplicate"`), []byte(`"resolution": "Fixed"`), 1)
	if err := os.WriteFile(other, changed, 0o600); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(dir, "report.xml")
	code, out, _ = tested(t, other, file, "-report", report)
	for _, want := range []string{
		"✕ failed                    round-2", "| <- asks for duplicate_of", "came\n",
		"c: 2 failed, 4 passed", "1 of 2 expectations are not met.",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	junit, err := os.ReadFile(report)
	if code != exitWrong || err != nil || strings.Count(string(junit), "<failure") != 2 ||
		strings.Count(string(junit), "<system-out>expected") != 1 {
		t.Errorf("exit code %d, %v\n%s", code, err, junit)
	}
	code, out, _ = tested(t, other, "-format", "json", "-url", p.url+"/mcp/azure-devops?instances=a:v1")
	var d testsDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if code != exitWrong || d.OK || len(d.Expectations) != 1 || d.Expectations[0].Met ||
		!strings.HasSuffix(d.Expectations[0].URL, "instances=a:v1") || len(d.Expectations[0].Rounds) != 2 ||
		len(d.Expectations[0].Came) >= len(d.Expectations[0].Expected) ||
		d.Expectations[0].Lines[0].Verdict != verdict.Passed || len(d.Expectations[0].Differences) == 0 {
		t.Errorf("exit code %d, %+v", code, d)
	}
}

// TestTest_NothingJudged: no file and no response are neither met nor missed, and a file that
// is no expectation is a usage error, which names it.
func TestTest_NothingJudged(t *testing.T) {
	dir, broken := t.TempDir(), t.TempDir()
	good := `{"format":"mrtr-playground/expectation","version":1,"name":"a","rounds":[],` +
		`"call":{"method":"tools/call","params":{"name":"a"}},"result":{"outcome":"complete"}}`
	for path, text := range map[string]string{
		filepath.Join(dir, "a.json"): good, filepath.Join(broken, "b.json"): "{\n 1}",
		filepath.Join(broken, "c.har"): "", filepath.Join(broken, "d.txt"): `{"format":"x"}`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unused := "http://" + freeAddress(t) + "/mcp"
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"an empty folder": {[]string{t.TempDir()}, exitControl, "There is no expectation"},
		"no server":       {[]string{dir, "-url", unused}, exitControl, "The server sent no response: "},
		"no URL":          {[]string{dir}, exitUsage, "a has no URL"},
		"no path":         {nil, exitUsage, "needs a directory"},
		"no such path":    {[]string{dir + "/nothing"}, exitUsage, "nothing"},
		"a broken file":   {[]string{broken}, exitUsage, "b.json: line 2, column 2"},
		"another file":    {[]string{filepath.Join(broken, "d.txt")}, exitUsage, "d.txt: not an expectation"},
		"two servers": {[]string{dir, "-url", unused, "-stdio", "a"}, exitUsage,
			"-stdio stands for -url"},
		"a wrong URL": {[]string{dir, "-url", "ftp://h"}, exitUsage, "-url: "},
	} {
		if code, out, told := tested(t, c.args...); code != c.code || !strings.Contains(out+told, c.want) {
			t.Errorf("%s: exit code %d, no %q in\n%s%s", name, code, c.want, out, told)
		}
	}
}

// TestClient_Baseline: what a client violated before is old, and what it violates now only is
// not; the report of another command is refused.
func TestClient_Baseline(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.json"), filepath.Join(dir, "bad.json")
	scenario := []string{"--", os.Args[0], "{url}", "echo_quotes"}
	for mode, file := range map[string]string{"good": good, "alters": bad} {
		_, _ = clientTested(t, mode, append([]string{"-report", file}, scenario...)...)
	}
	for name, c := range map[string]struct {
		mode, baseline string
		code           int
		want           string
	}{
		"new":       {"alters", good, exitWrong, "This client newly fails "},
		"unchanged": {"alters", bad, 0, "Nothing new: this client still fails "},
		"gone":      {"good", bad, 0, " gone, 0 unchanged."},
	} {
		code, out := clientTested(t, c.mode, append([]string{"-baseline", c.baseline}, scenario...)...)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d, no %q in\n%s", name, code, c.want, out)
		}
	}
	wrong := filepath.Join(dir, "wrong.json")
	if err := os.WriteFile(wrong, []byte(`{"ok":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"client", "-baseline", wrong, "--", "true"}, {"client", "-baseline", dir + "/none.json", "--",
			"true"},
		{"check", "http://h/mcp", "-tool", "a", "-baseline", good},
	} {
		err := run(t.Context(), args, patient, io.Discard, io.Discard)
		if exitCode(err, io.Discard) != exitUsage || !strings.Contains(err.Error(), "-baseline: ") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
