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
)

// recorded makes an Azure DevOps call through the pages up to its second
// question, and returns the file of its export.
func recorded(t *testing.T, p *program) string {
	t.Helper()
	res, err := http.PostForm(p.url+"/exchanges", url.Values{"sample": {"azure-devops"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	path := res.Request.URL.Path
	res, err = http.PostForm(
		p.url+path+"/rounds", url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"decline"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	res, err = http.Get(p.url + path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("export: %d, %v", res.StatusCode, err)
	}
	file := filepath.Join(t.TempDir(), "recording.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReplay_ReportsDifferences(t *testing.T) {
	p := startProgram(t, t.TempDir())
	file := recorded(t, p)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"call", "-replay", file}, patient, &out, io.Discard); err != nil ||
		!strings.Contains(out.String(), "same, 2 rounds") {
		t.Errorf("%v: %s", err, out.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, bytes.ReplaceAll(text, []byte("How was this bug resolved?"),
		[]byte("What became of this bug ok?")), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	err = run(
		t.Context(), []string{"call", "-json", "-replay", other, p.url + "/mcp/azure-devops"}, noEnv, &out,
		io.Discard,
	)
	if exitCode(err, io.Discard) != exitWrong {
		t.Errorf("a difference gives exit code %d", exitCode(err, io.Discard))
	}
	var report replayReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Same || len(report.Differences) != 1 ||
		report.Differences[0].Path != "/result/inputRequests/resolution/params/message" ||
		report.Differences[0].Round != 1 {
		t.Errorf("%+v", report)
	}
}

func TestReplay_RefusesInvalidFiles(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{"/nowhere.json": exitWrong, bad: exitWrong} {
		if got := exitCode(run(t.Context(), []string{"call", "-replay", args}, patient, io.Discard,
			io.Discard), io.Discard); got != want {
			t.Errorf("%s: exit code %d", args, got)
		}
	}
	if got := exitCode(run(t.Context(), []string{"call", "-replay", bad, "http://a", "b"}, patient,
		io.Discard, io.Discard), io.Discard); got != exitUsage {
		t.Errorf("too many arguments: exit code %d", got)
	}
}
