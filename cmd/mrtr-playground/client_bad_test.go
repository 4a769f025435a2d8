package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/capture/capturetest"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestClient_ProxyNamesBadClients: client -proxy names each bad client by its rule and by no
// other, in its first call and in its fifth one, and holds nothing against an unusual one.
func TestClient_ProxyNamesBadClients(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a program and a client for each")
	}
	behind := httptest.NewServer(capturetest.Desk)
	t.Cleanup(behind.Close)
	for _, b := range slices.Concat(capturetest.Bad(), capturetest.Unusual()) {
		for _, before := range []int{0, 4} {
			if b.Where == capturetest.OnLines {
				continue
			}
			t.Run(fmt.Sprintf("%s after %d", b.Name, before), func(t *testing.T) {
				code, d := documentOf(t, "bad", "-proxy", behind.URL+"/mcp", "--", os.Args[0], b.Name,
					fmt.Sprint(before))
				checkNamed(t, code, d, b)
			})
		}
	}
}

// TestClientStdio_NamesBadClients is the same on lines.
func TestClientStdio_NamesBadClients(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a program and a server for each")
	}
	for _, b := range slices.Concat(capturetest.Bad(), capturetest.Unusual()) {
		for _, before := range []int{0, 4} {
			if b.Where == capturetest.OverHTTP || b.Rule == "line-id" { // TestClientStdio_BadClients has it
				continue
			}
			t.Run(fmt.Sprintf("%s after %d", b.Name, before), func(t *testing.T) {
				t.Parallel()
				report := filepath.Join(t.TempDir(), "report.json")
				cmd := underTest(t, "desk", "-report", report)
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				stdout, err := cmd.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				out := bufio.NewReader(stdout)
				b.Run(before, func(r capturetest.Request) map[string]any {
					var response map[string]any
					for _, message := range r.Bodies() {
						_, _ = io.WriteString(in, message+"\n")
						if !capturetest.Answers([]byte(message)) {
							continue
						}
						line, err := out.ReadBytes('\n')
						if err != nil {
							t.Error(err)
						}
						_ = json.Unmarshal(line, &response)
					}
					return response
				})
				_ = in.Close()
				_, _ = io.Copy(io.Discard, out)
				_ = cmd.Wait()
				checkNamed(t, cmd.ProcessState.ExitCode(), clientReport(t, report), b)
			})
		}
	}
}

// checkNamed fails unless a report names a client by its rule and by no other.
func checkNamed(t *testing.T, code int, d capture.Document, b capturetest.Client) {
	t.Helper()
	want := []string{b.Rule}
	if b.Rule == "" {
		want = nil
	}
	failed := func(l verdict.LineDocument) bool { return l.Verdict == verdict.Failed }
	wrong := b.Rule != "" && !b.Hint
	if got := failures(d.Rules); !slices.Equal(got, want) || slices.ContainsFunc(d.Rules, failed) != wrong ||
		(code == exitWrong) != wrong {
		t.Errorf("exit code %d, %q, want %q", code, got, want)
	}
}
