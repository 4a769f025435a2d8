package main

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

// playReport answers the questions of the sample tasks, one process after the
// other, and returns the last page. between is called before each answer.
func playReport(t *testing.T, bases []string, path string, between func(round int)) sight {
	t.Helper()
	for n := 0; ; n++ {
		base := bases[n%len(bases)]
		s := awaitStatus(t, base, path, "waiting", "complete", "failed", "interrupted")
		if s.status != "waiting" {
			return s
		}
		between(n)
		round := openRound.FindStringSubmatch(s.page)
		if round == nil {
			t.Fatalf("%s waits without a form:\n%s", path, s.page)
		}
		form := url.Values{"round": {round[1]}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"week"}}
		if strings.Contains(s.page, `data-field="tone"`) {
			form.Set("a0.f0", "cheerful")
		}
		if _, err := send(bases[(n+1)%len(bases)], path+"/rounds", form); err != nil {
			t.Fatal(err)
		}
	}
}

// awaitStatus looks at an exchange until it has one of the statuses.
func awaitStatus(t *testing.T, base, path string, statuses ...string) sight {
	t.Helper()
	for {
		s, err := look(base, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, status := range statuses {
			if s.status == status {
				return s
			}
		}
		lull()
	}
}

func startOn(t *testing.T, base, sample string) string {
	t.Helper()
	path, err := send(base, "/exchanges", url.Values{"sample": {sample}})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// replicaFlags are those of a process for several people that share a database. One visitor
// does the work of many here, and calls servers of this machine.
func replicaFlags(database string) []string {
	return []string{
		"-db", database, "-trusted-network", "-allow-network", "http:127.0.0.1", "-limit", "pages=9999/1s",
		"-limit", "parts=9999/1s", "-limit", "calls=9999/1s", "-limit", "calls-of-workspace=99",
		"-limit", "calls-of-address=99", "-limit", "samples=9999/1s", "-limit", "checks=99",
	}
}

// TestReplicas_AnyServesEveryRequest: each request goes to another process than the
// one before.
func TestReplicas_AnyServesEveryRequest(t *testing.T) {
	where, data := pgtest.Start(t).URL("postgres"), t.TempDir()
	var bases []string
	for range 3 {
		bases = append(bases, startProgram(t, data, replicaFlags(where)...).url)
	}
	anyServes(t, bases)
}

// TestReplicas_ClocksDiffer holds fault 112: the clocks of the processes are five
// seconds apart.
func TestReplicas_ClocksDiffer(t *testing.T) {
	where, data := pgtest.Start(t).URL("postgres"), t.TempDir()
	var bases []string
	for _, ahead := range []string{"-5s", "0s", "5s"} {
		v := startVictimWith(t, data, ahead, os.Stderr, replicaFlags(where)...)
		bases = append(bases, v.url)
	}
	anyServes(t, bases)
}

// anyServes plays what can be played, each request in another of three processes
// than the one before.
func anyServes(t *testing.T, bases []string) {
	t.Helper()
	t.Run("a call", func(t *testing.T) {
		s, err := await(bases[1], startOn(t, bases[0], "azure-devops"))
		for n := 2; err == nil && s.status != "complete"; n++ {
			s, err = advance(bases[n%3], s)
		}
		if err != nil || !strings.Contains(s.page, "Bug #4522 resolved as Duplicate of Bug #4301.") {
			t.Errorf("%s after %d rounds, %v", s.status, s.rounds, err)
		}
	})
	t.Run("a task", func(t *testing.T) {
		s := playReport(t, bases, startOn(t, bases[0], "tasks"), func(int) {})
		if !strings.Contains(s.page, "A cheerful report on sales over the last week") {
			t.Errorf("%s: %s", s.status, s.page)
		}
	})
	t.Run("a task is cancelled", func(t *testing.T) {
		path := startOn(t, bases[0], "tasks")
		playFirst(t, bases[1], path)
		if _, err := send(bases[2], path+"/cancel", nil); err != nil {
			t.Fatal(err)
		}
		awaitStatus(t, bases[0], path, "cancelled")
	})
	t.Run("an open call of a legacy server", func(t *testing.T) {
		path := startOn(t, bases[0], "before-mrtr")
		for n := 1; ; n++ {
			s := awaitStatus(t, bases[n%3], path, "waiting", "complete", "failed", "interrupted", "cancelled")
			if s.status != "waiting" {
				if s.status != "complete" || n < 2 {
					t.Errorf("%s after %d answers", s.status, n-1)
				}
				return
			}
			if _, err := advance(bases[(n+1)%3], s); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Run("a voucher", func(t *testing.T) {
		path := startOn(t, bases[0], "voucher")
		s := awaitStatus(t, bases[1], path, "waiting")
		form := url.Values{"round": {"1"}, "do": {"send"}, "a0.action": {"accept"}, "a0.f0": {"true"}}
		if _, err := send(bases[2], path+"/rounds", form); err != nil {
			t.Fatal(err)
		}
		if s = awaitStatus(t, bases[0], path, "complete"); !strings.Contains(s.page, " redeemed for ") {
			t.Error("the voucher was not redeemed")
		}
	})
	t.Run("a client test", func(t *testing.T) { takeClientTest(t, bases) })
	t.Run("a session of a foreign client", func(t *testing.T) { playSession(t, bases) })
	t.Run("an agent", func(t *testing.T) { playAgent(t, bases) })
	t.Run("a demo", func(t *testing.T) {
		path, err := send(bases[0], "/demos/azure-devops", nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := await(bases[1], path)
		for n := 2; err == nil && strings.Contains(s.page, `data-do="next"`); n++ {
			form := url.Values{"do": {"next"}, "step": {strconv.Itoa(n - 1)}}
			if _, err = send(bases[n%3], path, form); err == nil {
				s, err = await(bases[(n+1)%3], path)
			}
		}
		if err != nil || s.status != "complete" {
			t.Errorf("%s, %v", s.status, err)
		}
	})
	t.Run("a talk", func(t *testing.T) { followTalk(t, bases) })
	t.Run("a check is stopped", func(t *testing.T) {
		server := newCheckedServer(t)
		path := server.add(&program{t: t, url: bases[0]}) + "/check"
		never := func(r *http.Request) {
			// Only a server that has read the body notices that its client has left.
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}
		server.onCall.Store(&never)
		to, err := send(bases[0], path, server.form)
		if err != nil {
			t.Fatal(err)
		}
		p := &program{t: t, url: bases[1]}
		if !strings.Contains(p.get(to), `data-board="running"`) {
			t.Error("another process does not show that the check runs")
		}
		if _, err := send(bases[2], to+"/stop", nil); err != nil {
			t.Fatal(err)
		}
		awaitBoard(t, p, to, "stopped")
	})
}

// playFirst answers the first question of the sample tasks.
func playFirst(t *testing.T, base, path string) {
	t.Helper()
	s := awaitStatus(t, base, path, "waiting")
	form := url.Values{"round": {openRound.FindStringSubmatch(s.page)[1]}, "do": {"send"},
		"a0.action": {"accept"}, "a0.f0": {"week"}}
	if _, err := send(base, path+"/rounds", form); err != nil {
		t.Fatal(err)
	}
}

// TestReplicas_OneClickOnEach holds fault 111: of two answers to one question, in
// two processes at the same moment, one is sent.
func TestReplicas_OneClickOnEach(t *testing.T) {
	where, data := pgtest.Start(t).URL("postgres"), t.TempDir()
	a := startProgram(t, data, "-db", where).url
	b := startProgram(t, data, "-db", where).url
	for range 10 {
		path := startOn(t, a, "azure-devops")
		s := awaitStatus(t, b, path, "waiting")
		results := make(chan error, 2)
		for _, base := range []string{a, b} {
			go func() {
				_, err := advance(base, s)
				results <- err
			}()
		}
		for range 2 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		after := awaitStatus(t, a, path, "waiting", "complete")
		if after.rounds != s.rounds+1 {
			t.Errorf("%d rounds after two clicks, %d before", after.rounds, s.rounds)
		}
	}
}

// TestReplicas_OneIsKilled holds fault 109: the process that runs a task, an open
// call and a check is killed. Another one goes on with the task, and says that the
// others were cut off.
func TestReplicas_OneIsKilled(t *testing.T) {
	for _, how := range []string{"killed", "frozen", "stopped"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel() // most of the time they wait for the end of a lease
			loseReplica(t, how)
		})
	}
}

func loseReplica(t *testing.T, how string) {
	where, data := pgtest.Start(t).URL("postgres"), t.TempDir()
	a, b := startVictim(t, data, "-db", where), startVictim(t, data, "-db", where)
	task, open := startOn(t, a.url, "tasks"), startOn(t, a.url, "before-mrtr")
	playFirst(t, a.url, task)
	awaitStatus(t, a.url, open, "waiting")
	awaitStatus(t, b.url, task, "running")
	switch how {
	case "killed":
		a.kill()
	case "frozen":
		a.freeze()
	case "stopped":
		a.signal(syscall.SIGTERM)
		_ = a.cmd.Wait()
	}
	s := playReport(t, []string{b.url}, task, func(int) {})
	if !strings.Contains(s.page, "A cheerful report on sales over the last week") {
		t.Errorf("the task is %s", s.status)
	}
	awaitStatus(t, b.url, open, "interrupted")
	if how != "frozen" {
		return
	}
	a.thaw() // it finds out that it has lost both
	for _, path := range []string{task, open} {
		before, err := look(b.url, path)
		if err != nil {
			t.Fatal(err)
		}
		for { // until it shows what the other one has recorded
			s, err := look(a.url, path)
			if err == nil && s.status == before.status && s.rounds == before.rounds {
				break
			}
			lull()
		}
		after, err := look(b.url, path)
		if err != nil || after.status != before.status || after.rounds != before.rounds {
			t.Errorf("%s and %d rounds before, %s and %d after it went on, %v", before.status, before.rounds,
				after.status, after.rounds, err)
		}
	}
}

func (v *victim) signal(s os.Signal) {
	v.t.Helper()
	if runtime.GOOS == "windows" {
		v.t.Skip("Windows has no signals for another process")
	}
	if err := v.cmd.Process.Signal(s); err != nil {
		v.t.Fatal(err)
	}
}
