package clients_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground/capture"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
)

// TestMeasured: the table is complete, and each recording shows the fault that it
// is linked for, and no other.
func TestMeasured(t *testing.T) {
	table := clients.Measured()
	if _, err := time.Parse(time.DateOnly, table.Date); err != nil || len(table.Clients) < 9 {
		t.Fatalf("%v, %d clients", err, len(table.Clients))
	}
	var recorded []string
	for _, c := range table.Clients {
		if len(c.Faults) != c.Failed || len(c.Revisions) == 0 || c.Requests == 0 || c.Name == "" ||
			c.Version == "" || c.Mode == "" {
			t.Errorf("%+v", c)
		}
		if all := c.Seen() + c.Unjudged; all != table.Clients[0].Seen()+table.Clients[0].Unjudged {
			t.Errorf("%s: %d checks", c.Slug, all)
		}
		if c.Failed == 0 {
			continue
		}
		recorded = append(recorded, c.Slug+".json")
		h, ok := clients.Share("client-" + c.Slug)
		if !ok {
			t.Errorf("%s has no recording", c.Slug)
			continue
		}
		view, n, err := share.Decode(h.Data)
		if err != nil || len(view.Shown) != c.Failed {
			t.Errorf("%s: %v, shows %v", c.Slug, err, view.Shown)
			continue
		}
		for _, f := range c.Faults {
			shows(t, c, f, n)
		}
	}
	slices.Sort(recorded)
	files, err := os.ReadDir("recordings")
	if err != nil || len(files) != len(recorded) {
		t.Errorf("%v, %d recordings, want %v", err, len(files), recorded)
	}
}

// shows requires that an exchange of a recording shows a fault, in its last round.
func shows(t *testing.T, c clients.Client, f clients.Fault, n session.Session) {
	t.Helper()
	x := n.Exchanges[f.Exchange-1]
	if rounds := len(x.Fold().Rounds); rounds != f.Round {
		t.Errorf("%s, %s: %d rounds, want %d", c.Slug, f.Scenario, rounds, f.Round)
	}
	if x, ok := rules.ScenarioByID(f.Scenario); !ok || f.Condition != x.Title {
		t.Errorf("%s/%s: the condition is %q", f.Scenario, f.Check, f.Condition)
	}
	if f.Sentence().Text == "" {
		t.Errorf("%s is no requirement", f.Requirement)
	}
	found := false
	n.Exchanges = n.Exchanges[f.Exchange-1 : f.Exchange]
	for _, tick := range capture.ObserveEnded(capture.NewReport(n, nil).Contacts()) {
		if tick.Outcome != verdict.Failed {
			continue
		}
		if tick.Scope != f.Scenario || tick.ID != f.Check || tick.Sentence != f.Text ||
			tick.Requirement != f.Requirement {
			t.Errorf("%s: %s/%s: %s", c.Slug, tick.Scope, tick.ID, tick.Sentence)
		}
		found = true
	}
	if !found {
		t.Errorf("%s: the recording does not show %s/%s", c.Slug, f.Scenario, f.Check)
	}
}

// TestRecordings_HaveNoAddress: nothing of the machine on which they were made is
// in them, but a port of the loopback interface.
func TestRecordings_HaveNoAddress(t *testing.T) {
	foreign := regexp.MustCompile(`(?i)/c/[a-z0-9]{20}|/home/|/root/|/tmp/|authorization:|cookie:`)
	for _, c := range clients.Measured().Clients {
		if h, ok := clients.Share("client-" + c.Slug); ok {
			if found := foreign.Find(h.Data); found != nil {
				t.Errorf("%s: %s", c.Slug, found)
			}
		}
	}
}

func TestShare_Unknown(t *testing.T) {
	for _, token := range []string{
		"", "client-", "client-nothing", "go-sdk", "client-../table", "client-call",
	} {
		if _, ok := clients.Share(token); ok {
			t.Errorf("%q is a share", token)
		}
	}
}
