package learn_test

import (
	"bufio"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/e2e/peers"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/mcptest"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// isTable is the argument of a test program that is to be the server of the exercise.
const isTable = "be-the-table"

// serveTable is the server of the exercise on standard input if the program was started as
// one, and does not return then. Each line becomes a request of the server over HTTP.
func serveTable() {
	if len(os.Args) != 2 || os.Args[1] != isTable {
		return
	}
	table, lines := peers.Table(""), bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if mcptest.Parse(lines.Bytes()).ID == nil {
			continue
		}
		r := mcptest.Request(lines.Bytes())
		w := httptest.NewRecorder()
		table.ServeHTTP(w, r)
		_, _ = os.Stdout.WriteString(strings.TrimSpace(w.Body.String()) + "\n")
	}
	os.Exit(0)
}

// TestExercise_Command: the address of a command that the program was started with is
// that of a server like any other.
func TestExercise_Command(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a server, which is checked as TestExercise checks one")
	}
	s := exerciseSite(t)
	address, _ := s.Lines.Add([]string{os.Args[0], isTable})
	page := try(s, address)
	got := standings(page.Body)
	for _, r := range exercise.Requirements() {
		if got[r.ID] != string(verdict.Passed) {
			t.Errorf("%s is %s", r.ID, got[r.ID])
		}
	}
	s.NoErrors()
}
