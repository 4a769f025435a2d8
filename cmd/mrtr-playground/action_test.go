package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documentedSteps returns the steps for GitHub Actions in a document, and their
// commands.
func documentedSteps(t *testing.T, document string) (yaml string, commands []string) {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 1 {
		t.Fatalf("%s has %d blocks of YAML", document, len(blocks))
	}
	yaml = blocks[0][1]
	for line := range strings.Lines(yaml) {
		if command, ok := strings.CutPrefix(line, "- run: "); ok {
			commands = append(commands, strings.TrimSpace(command))
		}
	}
	return yaml, commands
}

// TestClient_GitHubActions runs the steps of the documents as GitHub does: each
// command with bash -e. In place of the installed program there is this one, in
// place of python3 a tiny client.
func TestClient_GitHubActions(t *testing.T) {
	yaml, commands := documentedSteps(t, "../../README.md")
	lessons, err := filepath.Glob("../../playground/lesson/content/*-client.md")
	if err != nil || len(lessons) != 1 {
		t.Fatal(lessons, err)
	}
	if lesson, _ := documentedSteps(t, lessons[0]); lesson != yaml {
		t.Error("the README and the lesson have different steps")
	}
	if n := strings.Count(yaml, "\n"); n > 10 {
		t.Errorf("%d lines", n)
	}
	const install = "go install github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground@latest"
	if len(commands) != 2 || commands[0] != install || !moduleHas(t, install) {
		t.Fatalf("%q", commands)
	}
	result := regexp.MustCompile(`path: (\S+)`).FindStringSubmatch(yaml)[1]
	for mode, want := range map[string]struct{ code, failures int }{
		"good": {0, 0}, "alters": {exitWrong, 2}, "nothing": {exitControl, 0},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			installAs(t, dir, "mrtr-playground", clientMode+"=self", `"$@"`)
			installAs(t, dir, "python3", clientMode+"="+mode+" MRTR_SCENARIO=echo_quotes", "")
			step := exec.Command("bash", "-e", "-c", commands[1])
			step.Dir = dir
			step.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
			out, err := step.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := step.ProcessState.ExitCode(); code != want.code {
				t.Errorf("exit code %d, want %d\n%s", code, want.code, out)
			}
			var suites struct {
				XMLName  xml.Name `xml:"testsuites"`
				Failures int      `xml:"failures,attr"`
			}
			written, err := os.ReadFile(filepath.Join(dir, result))
			if err == nil {
				err = xml.Unmarshal(written, &suites)
			}
			if err != nil || suites.Failures != want.failures {
				t.Errorf("%v, %d failures in\n%s", err, suites.Failures, written)
			}
		})
	}
}

// installAs writes a script that runs this test program with variables.
func installAs(t *testing.T, dir, name, variables, args string) {
	t.Helper()
	script := fmt.Sprintf("#!/bin/sh\n%s exec '%s' %s\n", variables, os.Args[0], args)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// moduleHas reports whether a command installs a package of this module.
func moduleHas(t *testing.T, install string) bool {
	t.Helper()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	module, _, _ := bytes.Cut(bytes.TrimPrefix(mod, []byte("module ")), []byte("\n"))
	path := strings.TrimSuffix(strings.TrimPrefix(install, "go install "), "@latest")
	dir, ok := strings.CutPrefix(path, string(module)+"/")
	_, err = os.Stat("../../" + dir + "/main.go")
	return ok && err == nil
}
