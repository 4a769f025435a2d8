package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

// The test program starts itself again as the program that is killed.
const (
	killedData = "MRTR_TEST_KILLED_DATA" // its data directory
	killedDB   = "MRTR_TEST_KILLED_DB"   // the database that it shares; unset, its own
	soakTime   = "MRTR_SOAK"             // how long the long tests may take; unset, they are short
)

func TestMain(m *testing.M) {
	if data := os.Getenv(killedData); data != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		args := []string{"-addr", "127.0.0.1:0", "-data", data, "-db", os.Getenv(killedDB)}
		err := run(ctx, args, noEnv, os.Stdout, os.Stderr)
		os.Exit(exitCode(err, os.Stderr))
	}
	os.Exit(pgtest.Run(m))
}

// repeat calls f a few times, or in a soak as often as it is allowed to and its
// time lets it.
func repeat(t *testing.T, few, many int, f func(i int)) {
	t.Helper()
	n, deadline := few, time.Time{}
	if soak, err := time.ParseDuration(os.Getenv(soakTime)); err == nil {
		n, deadline = many, time.Now().Add(soak)
	}
	for i := range n {
		if !deadline.IsZero() && time.Now().After(deadline) && i >= few {
			t.Logf("%d of %d in the time there was", i, n)
			return
		}
		f(i)
	}
}

// victim is the whole program in a process of its own.
type victim struct {
	t   *testing.T
	cmd *exec.Cmd
	url string
}

func startVictim(t *testing.T, data string) *victim {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedData+"="+data)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, %v", err, cmd.Wait())
	}
	return &victim{t, cmd, strings.TrimSpace(strings.TrimPrefix(line, "listening on "))}
}

// kill ends the process as power loss would, without a chance to finish.
func (v *victim) kill() {
	v.t.Helper()
	if err := v.cmd.Process.Kill(); err != nil {
		v.t.Fatal(err)
	}
	_ = v.cmd.Wait()
}

// sight is what a page of an exchange shows.
type sight struct {
	path, status string
	rounds       int // that have an outcome
	page         string
}

var (
	shownStatus  = regexp.MustCompile(`data-exchange="[^"]+"\s+data-status="([a-z_]+)"`)
	shownOutcome = regexp.MustCompile(`data-round="(\d+)"\s+data-outcome="([a-z_]+)"`)
	openRound    = regexp.MustCompile(`name="round" value="(\d+)"`)
)

// look reads the page of an exchange, or returns an error when the program is
// gone.
func look(base, path string) (sight, error) {
	res, err := http.Get(base + path)
	if err != nil {
		return sight{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return sight{}, fmt.Errorf("%s: %s, %w", path, res.Status, err)
	}
	s := sight{path: path, page: string(body)}
	if m := shownStatus.FindStringSubmatch(s.page); m != nil {
		s.status = m[1]
	}
	answered := map[string]bool{} // a page shows a round more than once
	for _, m := range shownOutcome.FindAllStringSubmatch(s.page, -1) {
		if m[2] != "pending" && m[2] != "interrupted" {
			answered[m[1]] = true
		}
	}
	s.rounds = len(answered)
	return s, nil
}

// send posts a form and returns the path that it leads to.
func send(base, path string, form url.Values) (string, error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.PostForm(base+path, form)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusSeeOther {
		return "", fmt.Errorf("%s: %s, %w", path, res.Status, err)
	}
	to, _, _ := strings.Cut(res.Header.Get("Location"), "?")
	to, _, _ = strings.Cut(to, "#")
	return to, nil
}

// advance does what a user does next with an exchange: it answers the question
// that is open, or sends again what was interrupted.
func advance(base string, s sight) (sight, error) {
	round := openRound.FindStringSubmatch(s.page)
	if round == nil {
		return s, fmt.Errorf("%s: %s without a form", s.path, s.status)
	}
	form := url.Values{"round": {round[1]}, "do": {"send"}, "a0.action": {"accept"}}
	switch {
	case s.status == "interrupted":
		form.Set("do", "resend")
	case strings.Contains(s.page, `data-field="duplicateOfId"`):
		form.Set("a0.f0", "4301")
	default:
		form.Set("a0.f0", "Duplicate")
	}
	if _, err := send(base, s.path+"/rounds", form); err != nil {
		return s, err
	}
	return look(base, s.path)
}

// work starts exchanges and leads them to their end until the program is
// killed. It returns the last that it was shown of each.
func work(base string) map[string]sight {
	seen := map[string]sight{}
	for {
		path, err := send(base, "/exchanges", url.Values{"sample": {"azure-devops"}})
		if err != nil {
			return seen
		}
		seen[path] = sight{path: path}
		s, err := look(base, path)
		for ; err == nil && s.status != "complete"; s, err = advance(base, s) {
			seen[path] = s
		}
		if err != nil {
			return seen
		}
		seen[path] = s
	}
}

// TestKill_ExchangesGoOn holds fault 76: the program is killed at random
// moments while visitors use it. Afterwards the file is whole, each Round that
// a visitor was shown is there, and each call is led to its end.
func TestKill_ExchangesGoOn(t *testing.T) {
	data, shown := "", 0
	repeat(t, 4, 300, func(i int) {
		if i%10 == 0 {
			data = t.TempDir()
		}
		v := startVictim(t, data)
		var mu sync.Mutex
		var visitors sync.WaitGroup
		all := map[string]sight{}
		for range 3 {
			visitors.Go(func() {
				for path, s := range work(v.url) {
					mu.Lock()
					all[path] = s
					mu.Unlock()
				}
			})
		}
		pause(t, 30+rand.IntN(300))
		v.kill()
		visitors.Wait()

		v = startVictim(t, data)
		for path, before := range all {
			shown += before.rounds
			leadOn(t, v, path, before)
		}
		v.kill()
		nothingRuns(t, data)
	})
	if shown == 0 {
		t.Error("no visitor was shown a round")
	}
	t.Logf("%d rounds were shown before a kill", shown)
}

func leadOn(t *testing.T, v *victim, path string, before sight) {
	t.Helper()
	s, err := look(v.url, path)
	if err != nil || s.rounds < before.rounds || s.status == "running" {
		t.Errorf("%s: %d rounds were shown, now %d and %s, %v", path, before.rounds, s.rounds, s.status, err)
		return
	}
	for range 6 {
		if s.status == "complete" {
			break
		}
		if s, err = advance(v.url, s); err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
	}
	if !strings.Contains(s.page, "Bug #4522 resolved as Duplicate of Bug #4301.") {
		t.Errorf("%s does not go on: %s after %d rounds", path, s.status, s.rounds)
	}
}

// nothingRuns opens the file of a program that was killed, which checks its
// integrity, and fails if something of it counts as running.
func nothingRuns(t *testing.T, data string) {
	t.Helper()
	store, err := db.Open(t.Context(), filepath.Join(data, "playground.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if ids, err := store.Unfinished(t.Context()); err != nil || len(ids) > 0 {
		t.Errorf("running after a restart: %q, %v", ids, err)
	}
}

// pause waits for so many milliseconds: the moment of a kill.
func pause(t *testing.T, ms int) {
	t.Helper()
	if err := waitFor(t.Context(), time.Duration(ms)*time.Millisecond); err != nil {
		t.Fatal(err)
	}
}

// TestKill_NothingRunsForEver holds fault 102: the program is killed while a
// check runs and while a demo runs. After a restart neither shows as running,
// and both can be done again.
func TestKill_NothingRunsForEver(t *testing.T) {
	check := url.Values{
		"tool": {"update_work_item"}, "args": {`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`},
		"answers": {`{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`},
	}
	data := t.TempDir()
	repeat(t, 4, 60, func(i int) {
		v := startVictim(t, data)
		begun := make(chan string, 1)
		var gone sync.WaitGroup
		gone.Go(func() { // until it is killed
			defer close(begun)
			if i%2 == 0 {
				to, err := send(v.url, "/servers/azure-devops/check", check)
				if err == nil {
					begun <- to
				}
				return
			}
			to, err := send(v.url, "/demos/azure-devops", nil)
			if err != nil {
				return
			}
			begun <- to
			for n := 1; err == nil; n++ {
				_, err = send(v.url, to, url.Values{"do": {"next"}, "step": {strconv.Itoa(n)}})
			}
		})
		pause(t, 10+rand.IntN(250))
		v.kill()
		gone.Wait()

		v = startVictim(t, data)
		for path := range begun {
			res, err := http.Get(v.url + path)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			_ = res.Body.Close()
			if i%2 == 1 && res.StatusCode != http.StatusOK || strings.Contains(string(body), `="running"`) {
				t.Errorf("%s after the kill: %s, it still runs: %v", path, res.Status,
					strings.Contains(string(body), `="running"`))
			}
		}
		p := &program{t: t, url: v.url}
		if page := p.get("/history"); strings.Contains(page, `data-status="running"`) {
			t.Error("something runs in the history")
		}
		if i%2 == 0 {
			p.post("/servers/azure-devops/check", check)
		} else {
			p.post("/demos/azure-devops", nil)
		}
		v.kill()
		v = startVictim(t, data)
		v.kill()
		nothingRuns(t, data)
	})
}
