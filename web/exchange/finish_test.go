package exchange_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// TestFinish_KillTheInstanceThatAsked: the button at the end of a call repeats
// it, and the instance that asked last is down before the answer is sent.
func TestFinish_KillTheInstanceThatAsked(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	path := s.StartOf("azure-devops")
	s.Post(path+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate&do=send")
	s.Get(path).HasNot(t, "[data-finish]")
	s.Post(path+"/rounds", "round=2&a0.action=accept&a0.f0=4301&do=send")
	s.Get(path).Has(t, `"Three requests, two instances, nothing remembered in between."`, "[data-do=share]",
		"[data-do=kill]")
	s.Get(path+"?round=2").HasNot(t, "[data-finish]")

	got := s.Post(path+"/rerun", "kill=last")
	if got.Status != http.StatusSeeOther || s.Last == path {
		t.Fatalf("%d to %s", got.Status, s.Last)
	}
	x := s.Drive(strings.TrimPrefix(s.Last, "/x/"))
	f := x.Fold()
	history := cluster.History(f)
	if len(history) != 1 || history[0].Do != cluster.Kill || history[0].After != 2 {
		t.Fatalf("what happened to the instances: %v", history)
	}
	if asker, _ := f.Rounds[1].ServedBy(); asker != history[0].Instance {
		t.Errorf("%s asked, %s was killed", asker, history[0].Instance)
	}
	words := narrate.Call(x.Target, f)
	if !strings.Contains(words, "asked and was killed") {
		t.Errorf("the call says %q", words)
	}
	page := s.Get(s.Last)
	page.Has(t, "[data-result] h2 \""+strings.ReplaceAll(words, "\u00a0", " ")+"\"", `.pic-gone "killed"`,
		`"Bug #4522 resolved as Duplicate of Bug #4301."`)
	page.HasNot(t, "[data-do=kill]")
	s.NoErrors()
}

// TestFinish_NothingToKill: no instance can be killed where only one serves, of a
// call that one request completed, or of what cannot be repeated.
func TestFinish_NothingToKill(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, sample := range []string{"naughty", "before-mrtr", "checkout"} {
		path := s.StartOf(sample)
		s.Get(path).HasNot(t, "[data-do=kill]")
		before := len(s.IDsOf())
		if got := s.Post(path+"/rerun", "kill=last"); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", sample, got.Status)
		}
		if n := len(s.IDsOf()); n != before {
			t.Errorf("%s: a refused request stored %d calls", sample, n-before)
		}
	}
}
