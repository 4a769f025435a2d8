package site_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
)

// TestFinish_KillTheInstanceThatAsked: the button at the end of a call repeats
// it, and the instance that asked last is down before the answer is sent.
func TestFinish_KillTheInstanceThatAsked(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	path := s.startOf("azure-devops")
	s.post(path+"/rounds", "round=1&a0.action=accept&a0.f0=Duplicate&do=send")
	s.get(path).hasNot(t, "[data-finish]")
	s.post(path+"/rounds", "round=2&a0.action=accept&a0.f0=4301&do=send")
	s.get(path).has(t, `"Three requests, two instances, nothing remembered in between."`, "[data-do=share]",
		"[data-do=kill]")
	s.get(path+"?round=2").hasNot(t, "[data-finish]")

	got := s.post(path+"/rerun", "kill=last")
	if got.status != http.StatusSeeOther || s.last == path {
		t.Fatalf("%d to %s", got.status, s.last)
	}
	x := s.drive(strings.TrimPrefix(s.last, "/x/"))
	f := x.Fold()
	history := server.History(f)
	if len(history) != 1 || history[0].Do != server.Kill || history[0].After != 2 {
		t.Fatalf("what happened to the instances: %v", history)
	}
	if asker, _ := f.Rounds[1].ServedBy(); asker != history[0].Instance {
		t.Errorf("%s asked, %s was killed", asker, history[0].Instance)
	}
	words := narrate.Call(x.Target, f)
	if !strings.Contains(words, "asked and was killed") {
		t.Errorf("the call says %q", words)
	}
	page := s.get(s.last)
	page.has(t, "[data-result] h2 \""+strings.ReplaceAll(words, "\u00a0", " ")+"\"", `.pic-gone "killed"`,
		`"Bug #4522 resolved as Duplicate of Bug #4301."`)
	page.hasNot(t, "[data-do=kill]")
	s.noErrors()
}

// TestFinish_NothingToKill: no instance can be killed where only one serves, of a
// call that one request completed, or of what cannot be repeated.
func TestFinish_NothingToKill(t *testing.T) {
	t.Parallel()
	s := newSite(t, app.Local)
	for _, sample := range []string{"naughty", "before-mrtr", "checkout"} {
		path := s.startOf(sample)
		s.get(path).hasNot(t, "[data-do=kill]")
		before := len(s.idsOf())
		if got := s.post(path+"/rerun", "kill=last"); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", sample, got.status)
		}
		if n := len(s.idsOf()); n != before {
			t.Errorf("%s: a refused request stored %d calls", sample, n-before)
		}
	}
}
