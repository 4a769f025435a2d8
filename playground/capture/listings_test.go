package capture_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/sampletools/clienttest"
)

// The clients of the lesson "Build a client".
const (
	goListing     = "../lesson/listings/go/client"
	pythonListing = "../lesson/listings/python/full_client.py"
)

// listingsUnseen are the scenarios of which the listings show nothing: those of a client that
// declares less, and of features that they do not have.
var listingsUnseen = []string{
	"undeclared_form", "undeclared_sampling", "undeclared_roots",
	"sampling_tool_required", "sampling_tool_none", "completion", "listen",
}

// TestListings_PassTheClientTest runs each listing as a command and requires that no check
// fails, is an advisory or is noted.
func TestListings_PassTheClientTest(t *testing.T) {
	if testing.Short() {
		t.Skip("-short builds no program and waits for no client")
	}
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		passes(t, buildGoListing(t))
	})
	t.Run("Python", func(t *testing.T) {
		t.Parallel()
		python, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("python3 is not installed, so its listing does not run")
		}
		passes(t, python, pythonListing)
	})
}

// passes requires that a command passes the client test.
func passes(t *testing.T, command ...string) {
	t.Helper()
	ticks, out := observed(t, "", command...)
	var seen []string
	for _, tick := range ticks {
		switch tick.Outcome {
		case verdict.Passed:
			seen = append(seen, tick.Scope)
		case verdict.Failed, verdict.Advisory:
			t.Errorf("%s/%s: %s: %s", tick.Scope, tick.ID, tick.Outcome, tick.Sentence)
		}
	}
	var unseen []string
	for _, s := range rules.Scenarios() {
		if !slices.Contains(seen, s.ID) {
			unseen = append(unseen, s.ID)
		}
	}
	if !slices.Equal(unseen, listingsUnseen) {
		t.Errorf("nothing is seen of %q, want %q", unseen, listingsUnseen)
	}
	if t.Failed() {
		t.Logf("%d checks passed\n%s", len(seen), out)
	}
}

// TestListings_OneScenario runs the listings with a name in MRTR_SCENARIO.
func TestListings_OneScenario(t *testing.T) {
	if testing.Short() {
		t.Skip("-short builds no program")
	}
	commands := map[string][]string{"Go": {buildGoListing(t)}}
	if python, err := exec.LookPath("python3"); err == nil {
		commands["Python"] = []string{python, pythonListing}
	}
	for name, command := range commands {
		for scenario, want := range map[string]string{
			"five_rounds": "five_rounds: complete\n", "ask_prompt": "ask_prompt: complete\n",
			"ask_resource": "test://client-test/ask_resource: complete\n",
		} {
			ticks, out := observed(t, scenario, command...)
			if out != want {
				t.Errorf("%s, %s: %q, want %q", name, scenario, out, want)
			}
			for _, tick := range ticks {
				if tick.Scope == scenario && tick.Outcome != verdict.Passed {
					t.Errorf("%s, %s/%s: %s", name, scenario, tick.ID, tick.Outcome)
				}
			}
		}
	}
}

// buildGoListing returns the listing in Go as a program.
func buildGoListing(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "client")
	if out, err := exec.Command("go", "build", "-o", program, goListing).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

// observed runs a command against the client test and returns the observations
// about it, and its output.
func observed(t *testing.T, scenario string, command ...string) ([]rules.Observation, string) {
	t.Helper()
	rec := &recorder{handler: clienttest.New(clienttest.Config{Hold: time.Hour})}
	server := httptest.NewServer(rec)
	defer server.Close()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "MRTR_SERVER_URL="+server.URL+"/mcp/client-test",
		"MRTR_SCENARIO="+scenario)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return capture.ObserveEnded(rec.contacts()), string(out)
}
