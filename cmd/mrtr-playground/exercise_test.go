package main

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
)

// TestCheck_Exercise prints the list of requirements and ends with its verdict.
func TestCheck_Exercise(t *testing.T) {
	all := len(exercise.Requirements())
	for fault, want := range map[string]struct {
		code int
		line string
	}{
		"":              {0, fmt.Sprintf("%d of %d met\n", all, all)},
		"unbound state": {exitWrong, fmt.Sprintf("%d of %d met\n", all-1, all)},
		"no state": {exitWrong, "Not judged: 4 requirements: it cannot be judged until this one is met: " +
			"The result of round 2 has a requestState"},
		"takes any value": {exitWrong, "✕ failed                    It does not accept a wrong value"},
	} {
		server := httptest.NewServer(peers.Table(fault))
		code, out := checked(t, server.URL, "-exercise")
		server.Close()
		said := strings.Contains(string(out), want.line) && !strings.Contains(string(out), "`")
		if code != want.code || !said {
			t.Errorf("%q: exit code %d\n%s", fault, code, out)
		}
	}
	p := startProgram(t, t.TempDir())
	if code, _ := checked(t, p.url+"/mcp/confirm", "-exercise"); code != exitWrong {
		t.Errorf("no such tool: exit code %d", code)
	}
	for _, flags := range []string{"-tool book_table", "-args {}", "-json", "-format md", "-era legacy"} {
		args := append([]string{"http://127.0.0.1:1/mcp", "-exercise"}, strings.Fields(flags)...)
		if code, _ := checked(t, args...); code != exitUsage {
			t.Errorf("%s: exit code %d", flags, code)
		}
	}
}

// TestAnswers_NeverAsked: a key that was never asked is an error if an answer was made up,
// and else a note.
func TestAnswers_NeverAsked(t *testing.T) {
	server := httptest.NewServer(peers.Table(""))
	defer server.Close()
	const rest = `"time":{"time":"19:00"},"confirm":{"confirm":true}`
	arguments := `{"restaurant":"Luigi","day":"Friday"}`
	for _, c := range []struct {
		answers string
		code    int
		says    string
	}{
		{`{"poeple":{"people":4},` + rest + `}`, exitUsage,
			`-answers: "poeple" was never asked, and the answer to "people" was made up`},
		{`{"people":{"people":4},"hour":{},` + rest + `}`, 0,
			`The answer to "hour" was not used: it was never asked.`},
	} {
		answers := answersFile(t, c.answers)
		for _, command := range [][]string{
			{"call", "-answers", answers, server.URL, "book_table", arguments},
			{"check", server.URL, "-tool", "book_table", "-args", arguments, "-answers", answers},
		} {
			code, out, errs := inTerminal(t, command...)
			if code != c.code || !strings.Contains(out+errs, c.says) {
				t.Errorf("%s with %s: exit code %d\n%s\n%s", command[0], c.answers, code, out, errs)
			}
		}
	}
}

// TestAnswers_OfAWrongShape are an error in the command line, and are not sent.
func TestAnswers_OfAWrongShape(t *testing.T) {
	server := httptest.NewServer(peers.Table(""))
	defer server.Close()
	answers := answersFile(t, `{"people":{"people":4},"time":"19:00"}`)
	arguments := `{"restaurant":"Luigi","day":"Friday"}`
	code, out := checked(t, server.URL, "-tool", "book_table", "-args", arguments, "-answers", answers)
	if code != exitUsage || len(out) > 0 {
		t.Errorf("check: exit code %d\n%s", code, out)
	}
	_, err := called(t, "-answers", answers, server.URL, "book_table", arguments)
	if exitCode(err, io.Discard) != exitUsage ||
		!strings.Contains(err.Error(), `answer to "time" must be the`) {
		t.Errorf("call: %v", err)
	}
}
