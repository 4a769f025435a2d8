package main

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
)

// workflow is what of a workflow for GitHub Actions this test runs.
type workflow struct {
	Jobs map[string]struct {
		Steps []struct {
			Uses, Run, If string
			With          map[string]string
		}
	}
}

// pageBlocks returns the blocks of code of a page in one language.
func pageBlocks(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	found := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	for _, block := range found {
		list = append(list, block[1])
	}
	return list
}

// TestCI_AsDocumented runs the script and the workflow of the reference page as they
// are written, with other settings in the first lines of the script: this program serves
// a flow as the server.
func TestCI_AsDocumented(t *testing.T) {
	const page = "../../playground/lesson/content/reference/9-ci.md"
	script, yaml := pageBlocks(t, page, "sh")[0], pageBlocks(t, page, "yaml")[0]
	refund, _ := flow.FindExample("refund")
	const serve = "mrtr-playground flow run flow.yaml -addr"
	for name, test := range map[string]struct {
		server, flow string
		code         int
		summary      bool
	}{
		"a right server": {serve, refund.Source, 0, true},
		"a state that can be forged": {
			serve, refund.Source + "state: {protection: plain}\n", exitWrong, true,
		},
		"a server that ends": {"false", "", exitControl, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := ciJob{t: t, dir: t.TempDir()}
			address := freeAddress(t)
			installAs(t, j.dir, "mrtr-playground", clientMode+"=self", `"$@"`)
			installAs(t, j.dir, "python3", clientMode+"=good MRTR_SCENARIO=echo_quotes", "")
			installAs(t, j.dir, "server", clientMode+"=self", `"$@"`)
			j.write("flow.yaml", test.flow)
			j.write("mcp-check.sh", settings(t, script, map[string]string{
				"server": test.server + " " + address, "url": "http://" + address + "/mcp/flow/" + flowToken,
				"tool": "refund_order", "args": `{"orderId":"A-1001","amount":120}`,
			}))
			if code := j.run(yaml); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, j.out)
			}
			if board := j.read("summary"); strings.Contains(board, " not reached") != test.summary {
				t.Errorf("the summary is %.300q", board)
			}
			if !test.summary {
				return
			}
			failures := strings.Contains(j.read("reports/check.xml"), "<failure")
			if failures != (test.code == exitWrong) || !json.Valid([]byte(j.read("reports/board.json"))) ||
				!strings.Contains(j.read("reports/client.xml"), "<testsuites") {
				t.Errorf("failures: %v", failures)
			}
		})
	}
}

// TestCI_Baseline runs the script of the page, as it is written, with a baseline and with an
// expectation: one new violation is red, an old one is green, and so is an expectation that
// is met, and one that is not is red.
func TestCI_Baseline(t *testing.T) {
	t.Parallel()
	const page = "../../playground/lesson/content/reference/9-ci.md"
	script, yaml := pageBlocks(t, page, "sh")[0], pageBlocks(t, page, "yaml")[0]
	expectation := pageBlocks(t, page, "json")[0]
	refund, _ := flow.FindExample("refund")
	right, forged := refund.Source, refund.Source+"state: {protection: plain}\n"
	run := func(source string, files map[string]string) (*ciJob, int) {
		t.Helper()
		j := ciJob{t: t, dir: t.TempDir()}
		address := freeAddress(t)
		installAs(t, j.dir, "mrtr-playground", clientMode+"=self", `"$@"`)
		installAs(t, j.dir, "server", clientMode+"=self", `"$@"`)
		j.write("flow.yaml", source)
		for name, text := range files {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(j.dir, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			j.write(name, text)
		}
		j.write("mcp-check.sh", settings(t, script, map[string]string{
			"server": "mrtr-playground flow run flow.yaml -addr " + address,
			"url":    "http://" + address + "/mcp/flow/" + flowToken,
			"tool":   "refund_order", "args": `{"orderId":"A-1001","amount":120}`, "client": "",
		}))
		return &j, j.run(yaml)
	}
	fine, code := run(right, nil)
	if code != 0 {
		t.Fatalf("a right server: exit code %d\n%s", code, fine.out)
	}
	worse, code := run(forged, map[string]string{"baseline.json": fine.read("reports/board.json")})
	xml := worse.read("reports/check.xml")
	if code != exitWrong || strings.Count(xml, "<failure") != 1 ||
		!strings.Contains(string(worse.out), "1 new, 0 gone, 0 unchanged") {
		t.Errorf("a new violation: exit code %d\n%s", code, worse.out)
	}
	old, code := run(forged, map[string]string{"baseline.json": worse.read("reports/board.json")})
	xml = old.read("reports/check.xml")
	if code != 0 || strings.Contains(xml, "<failure") || strings.Count(xml, `message="old: `) != 1 ||
		!strings.Contains(string(old.out), "0 new, 0 gone, 1 unchanged") {
		t.Errorf("an old violation: exit code %d\n%s", code, old.out)
	}
	met, code := run(right, map[string]string{"expectations/refund.json": expectation})
	if code != 0 || !strings.Contains(string(met.out), "The expectation is met.") {
		t.Errorf("an expectation that is met: exit code %d\n%s", code, met.out)
	}
	other := strings.Replace(expectation, "120 euros refunded", "130 euros refunded", 1)
	missed, code := run(right, map[string]string{"expectations/refund.json": other})
	xml = missed.read("reports/expectations.xml")
	if code != exitWrong || strings.Count(xml, "<failure") != 1 ||
		!strings.Contains(xml, "tools/call refund_order") {
		t.Errorf("an expectation that is missed: exit code %d\n%s\n%s", code, missed.out, xml)
	}
}

// TestCI_Stdio runs the script for a server on standard input, as the page has it, in the
// same workflow.
func TestCI_Stdio(t *testing.T) {
	t.Parallel()
	const page = "../../playground/lesson/content/reference/9-ci.md"
	script, yaml := pageBlocks(t, page, "sh")[1], pageBlocks(t, page, "yaml")[0]
	for tool, code := range map[string]int{"ask": exitWrong, "die": exitControl} {
		j := ciJob{t: t, dir: t.TempDir()}
		installAs(t, j.dir, "mrtr-playground", clientMode+"=self", `"$@"`)
		installAs(t, j.dir, "node", "", strings.Join(linestest.Words("modern")[1:], " ")+` "$@"`)
		j.write("mcp-check.sh", settings(t, script, map[string]string{"tool": tool, "args": "{}"}))
		if got := j.run(yaml); got != code {
			t.Errorf("%s: exit code %d, want %d\n%s", tool, got, code, j.out)
		}
		worked := strings.Contains(j.read("summary"), "completed in 2 rounds")
		failures := strings.Contains(j.read("reports/check.xml"), "<failure")
		if judged := code == exitWrong; worked != judged || failures != judged ||
			!json.Valid([]byte(j.read("reports/board.json"))) {
			t.Errorf("%s: worked: %v, failures: %v", tool, worked, failures)
		}
	}
}

// settings replaces the values of the first lines of a script, each of which must be there.
func settings(t *testing.T, script string, values map[string]string) string {
	t.Helper()
	for name, value := range values {
		line := regexp.MustCompile(`(?m)^` + name + `=.*$`)
		if len(line.FindAllString(script, -1)) != 1 {
			t.Fatalf("the script sets %s not once", name)
		}
		script = line.ReplaceAllLiteralString(script, name+"='"+value+"'")
	}
	return script
}

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// ciJob is a job in a folder of its own.
type ciJob struct {
	t   *testing.T
	dir string
	out []byte
}

func (j *ciJob) write(file, text string) {
	j.t.Helper()
	if err := os.WriteFile(filepath.Join(j.dir, file), []byte(text), 0o600); err != nil {
		j.t.Fatal(err)
	}
}

func (j *ciJob) read(file string) string {
	b, _ := os.ReadFile(filepath.Join(j.dir, file)) // none is as empty
	return string(b)
}

// run runs the steps of a workflow as GitHub does, and returns the exit code of the
// first that fails. This program is there already, in place of the installed one.
func (j *ciJob) run(text string) (code int) {
	j.t.Helper()
	var w workflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil || len(w.Jobs) != 1 {
		j.t.Fatalf("%d jobs, %v", len(w.Jobs), err)
	}
	var uses []string
	for _, step := range w.Jobs["check"].Steps {
		if step.Uses != "" {
			name, _, _ := strings.Cut(step.Uses, "@")
			uses = append(uses, name)
		}
		switch {
		case step.Run == "" || code != 0 && step.If != "always()":
		case strings.HasPrefix(step.Run, "go install "):
			if !moduleHas(j.t, step.Run) {
				j.t.Errorf("nothing is installed by %s", step.Run)
			}
		default:
			if ended := j.step(step.Run); code == 0 {
				code = ended
			}
		}
		if path := step.With["path"]; path != "" {
			if _, err := os.Stat(filepath.Join(j.dir, path)); err != nil {
				j.t.Errorf("nothing to upload: %v", err)
			}
		}
	}
	want := []string{"actions/checkout", "actions/setup-go", "actions/upload-artifact"}
	if !slices.Equal(uses, want) {
		j.t.Errorf("the steps use %q", uses)
	}
	return code
}

func (j *ciJob) step(command string) int {
	j.t.Helper()
	c := exec.Command("bash", "-e", "-c", command)
	c.Dir = j.dir
	c.Env = []string{
		"PATH=" + j.dir + ":" + os.Getenv("PATH"), "HOME=" + j.dir, "TMPDIR=" + j.dir,
		"GITHUB_STEP_SUMMARY=" + filepath.Join(j.dir, "summary"),
	}
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		j.t.Fatal(err)
	}
	j.out = append(j.out, out...)
	return c.ProcessState.ExitCode()
}
