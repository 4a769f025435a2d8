package main

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
)

// serverCommand is a command line of -stdio.
func serverCommand(era string) string { return strings.Join(linestest.Words(era), " ") }

func TestCall_Stdio(t *testing.T) {
	for _, era := range []string{"modern", "legacy"} {
		list, err := called(t, "-stdio", serverCommand(era))
		if err != nil || !strings.Contains(list, "connected lines 1 "+era) {
			t.Errorf("%s: %v\n%s", era, err, list)
		}
		answers := answersFile(t, `{"who":{"name":"Ada"},"name":"Ada"}`)
		out, err := called(t, "-stdio", serverCommand(era), "-answers", answers, "ask")
		if err != nil || !strings.Contains(out, "Hello, Ada") {
			t.Errorf("%s: %v\n%s", era, err, out)
		}
	}
	out, err := called(t, "-stdio", serverCommand("modern"), "die")
	if exitCode(err, io.Discard) != exitWrong || !strings.Contains(out, "exit status 3") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestCheck_OfItsOwnServer: what serves agents over lines keeps what a check demands.
func TestCheck_OfItsOwnServer(t *testing.T) {
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	var out, errs bytes.Buffer
	err := run(t.Context(), []string{
		"check", "-stdio", os.Args[0] + " " + asProgram + " mcp", "-tool", "search_lessons",
		"-args", `{"query":"state"}`,
	}, patient, &out, &errs)
	if err != nil || !strings.Contains(out.String(), "No violation by this server") {
		t.Errorf("%v\n%s%s", err, &out, &errs)
	}
}

// TestCheck_LogsBesideItsDots: what a server logs does not run into the dots of the check.
func TestCheck_LogsBesideItsDots(t *testing.T) {
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	t.Setenv(clientMode, "self")
	var told bytes.Buffer
	err := run(t.Context(), []string{"check", "-stdio", "'" + os.Args[0] + "' as logs", "-tool", "plain"},
		patient, io.Discard, &told)
	dots, logged := 0, 0
	for line := range strings.Lines(told.String()) {
		switch line = strings.TrimSpace(line); {
		case strings.Trim(line, ".") == "":
			dots += len(line)
		case line == "a request came":
			logged++
		default:
			t.Errorf("%q", line)
		}
	}
	if dots < 10 || logged < 10 {
		t.Errorf("%v\n%s", err, &told)
	}
}

// connectedServer waits until the program is connected to its command, and returns the id of
// that server.
func connectedServer(t *testing.T, base string) string {
	t.Helper()
	listed := regexp.MustCompile(`href="/servers/(\w{20,})"`).FindStringSubmatch(pageOf(t, base+"/test"))
	if listed == nil {
		t.Fatal("the page lists no server")
	}
	for t.Context().Err() == nil {
		switch page := pageOf(t, base+"/servers/"+listed[1]); {
		case strings.Contains(page, `data-status="connected"`):
			return listed[1]
		case !strings.Contains(page, `data-status="connecting"`):
			t.Fatal("the program does not connect to its command")
		}
	}
	return ""
}

// pageOf returns a page.
func pageOf(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	page, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestStdio_EndsWithTheProgram: a server that ignores the end of its input ends when the
// program does, also when that is killed (fault 128).
func TestStdio_EndsWithTheProgram(t *testing.T) {
	stop := func(v *victim) { _ = v.cmd.Process.Signal(syscall.SIGTERM) }
	for _, ends := range []func(*victim){(*victim).kill, stop} {
		v := startVictim(t, t.TempDir(), "-stdio", serverCommand("modern"), "-limit", "command-exit=1ms")
		address, held := linestest.Held(t)
		form := url.Values{
			"target": {connectedServer(t, v.url)}, "tool": {"stubborn"}, "raw": {"true"},
			"json": {`{"address":"` + address + `"}`},
		}
		if _, err := http.PostForm(v.url+"/exchanges", form); err != nil {
			t.Fatal(err)
		}
		<-held // once a process connects
		ends(v)
		<-held // at the end of the last one
	}
}
