package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db"
	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// The test program starts itself again as the program that is killed.
const (
	killedData  = "MRTR_TEST_KILLED_DATA"  // its data directory
	killedFlags = "MRTR_TEST_KILLED_FLAGS" // its flags, one in a line
	killedClock = "MRTR_TEST_KILLED_CLOCK" // how far its clock is ahead
	soakTime    = "MRTR_SOAK"              // how long the long tests may take; unset, they are short
)

// asProgram is the first argument of a process of the tests that is the program.
const asProgram = "as-program"

func TestMain(m *testing.M) {
	linestest.Main()
	if err := os.Setenv(limitsVariable, patientLimits); err != nil {
		panic(err)
	}
	if mode := os.Getenv(clientMode); mode != "" {
		os.Exit(actAsClient(mode, os.Args[1:]))
	}
	if len(os.Args) > 1 && os.Args[1] == asProgram {
		err := run(context.Background(), os.Args[2:], os.Getenv, os.Stdout, os.Stderr)
		os.Exit(exitCode(err, os.Stderr))
	}
	if data := os.Getenv(killedData); data != "" {
		if ahead, err := time.ParseDuration(os.Getenv(killedClock)); err == nil {
			now = func() time.Time { return time.Now().Add(ahead) }
		}
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		args := []string{"-addr", "127.0.0.1:0", "-data", data}
		if flags := os.Getenv(killedFlags); flags != "" {
			args = append(args, strings.Split(flags, "\n")...)
		}
		err := run(ctx, args, patient, os.Stdout, os.Stderr)
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

func startVictim(t *testing.T, data string, flags ...string) *victim {
	t.Helper()
	return startVictimWith(t, data, "0s", os.Stderr, flags...)
}

// startVictimWith starts a victim whose clock is ahead, and which logs to a writer.
func startVictimWith(t *testing.T, data, ahead string, logs io.Writer, flags ...string) *victim {
	t.Helper()
	if testing.Short() {
		t.Skip("-short starts no process")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killedData+"="+data, killedClock+"="+ahead,
		killedFlags+"="+strings.Join(flags, "\n"))
	cmd.Stderr = logs
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

// sight is the visible state of an exchange on its page.
type sight struct {
	path, status string
	rounds       int // that have an outcome
	page         string
}

var (
	shownStatus  = regexp.MustCompile(`data-exchange="[^"]+"\s+data-status="([a-z_]+)"`)
	shownOutcome = regexp.MustCompile(`data-round="(\d+)"\s+data-outcome="([a-z_]+)"`)
	openRound    = regexp.MustCompile(`(?s)data-form="(?:answers|resend)".*?name="round" value="(\d+)"`)
)

// cookies are those of the one browser of these tests, whose workspace is its own where
// there are several. Processes on one host share them, whatever their port.
var cookies, _ = cookiejar.New(nil)

// look reads the page of an exchange, or returns an error when the program is
// gone.
func look(base, path string) (sight, error) {
	client := http.Client{Jar: cookies}
	res, err := client.Get(base + path)
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

// await looks at an exchange until no request of it is running.
func await(base, path string) (sight, error) {
	for {
		s, err := look(base, path)
		if err != nil || s.status != "running" {
			return s, err
		}
		lull()
	}
}

// lull is the time between two looks at what a test waits for. It decides nothing.
func lull() { time.Sleep(20 * time.Millisecond) }

// send posts a form and returns the path that it leads to.
func send(base, path string, form url.Values) (string, error) {
	client := http.Client{Jar: cookies, CheckRedirect: func(*http.Request, []*http.Request) error {
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

// advance takes the next step of a user with an exchange: it answers the
// question that is open, or sends an interrupted round again.
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
	return await(base, s.path)
}

// countdown returns the address of a proxy in front of a program, and a channel that
// is closed at the nth event of the requests through it: one is sent, or answered.
func countdown(t *testing.T, program string, n int) (base string, reached <-chan struct{}) {
	t.Helper()
	to, err := url.Parse(program)
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{reached: make(chan struct{})}
	c.left.Store(int64(n))
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, Transport: c,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			w.WriteHeader(http.StatusBadGateway) // the program was killed
		},
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL, c.reached
}

// counter counts events down.
type counter struct {
	left    atomic.Int64
	reached chan struct{}
}

func (c *counter) count() {
	if c.left.Add(-1) == 0 {
		close(c.reached)
	}
}

// RoundTrip implements http.RoundTripper.
func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.count()
	defer c.count()
	return http.DefaultTransport.RoundTrip(r)
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
		s, err := await(base, path)
		for ; err == nil && s.status != "complete"; s, err = advance(base, s) {
			seen[path] = s
		}
		if err != nil {
			return seen
		}
		seen[path] = s
	}
}

// TestKill_ExchangesGoOn holds fault 76: the program is killed at a random one of
// the requests and answers of visitors who use it. Afterwards the file is whole, each
// Round that a visitor was shown is there, and each call is led to its end.
func TestKill_ExchangesGoOn(t *testing.T) {
	const visitors = 3
	// To be shown a Round, a visitor starts a call and looks at it: four events. A fifth
	// comes when that page was read.
	const early = 4 * visitors
	data, shown := "", 0
	repeat(t, 4, 300, func(i int) {
		if i%10 == 0 {
			data = t.TempDir()
		}
		v := startVictim(t, data)
		n := early + 1 + rand.IntN(100)
		if i%4 == 1 {
			n = 1 + rand.IntN(early)
		}
		base, reached := countdown(t, v.url, n)
		var mu sync.Mutex
		var working sync.WaitGroup
		all := map[string]sight{}
		for range visitors {
			working.Go(func() {
				for path, s := range work(base) {
					mu.Lock()
					all[path] = s
					mu.Unlock()
				}
			})
		}
		ended := make(chan struct{})
		go func() { working.Wait(); close(ended) }()
		select {
		case <-reached:
		case <-ended:
			t.Errorf("the visitors gave up before event %d", n)
		}
		v.kill()
		<-ended

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

// TestKill_NothingRunsForEver holds fault 102: the program is killed while a
// check runs, at a random one of its calls, and while a demo runs, at a random event
// of the visitor. After a restart neither shows as running, and both can be done again.
func TestKill_NothingRunsForEver(t *testing.T) {
	data := t.TempDir()
	server := newCheckedServer(t)
	repeat(t, 4, 60, func(i int) {
		v := startVictim(t, data)
		var begun []string
		if i%2 == 0 {
			begun = killInCheck(t, v, server)
		} else {
			begun = killInDemo(t, v, 1+rand.IntN(20))
		}
		v = startVictim(t, data)
		for _, path := range begun {
			res, err := http.Get(v.url + path)
			if err != nil {
				t.Fatal(err)
			}
			page, err := io.ReadAll(res.Body)
			_ = res.Body.Close()
			runs := strings.Contains(string(page), `="running"`)
			if err != nil || i%2 == 1 && res.StatusCode != http.StatusOK || runs {
				t.Errorf("%s after the kill: %s, it still runs: %v, %v", path, res.Status, runs, err)
			}
		}
		p := &program{t: t, url: v.url}
		if page := p.get("/history"); strings.Contains(page, `data-status="running"`) {
			t.Error("something runs in the history")
		}
		if i%2 == 0 {
			awaitBoard(t, p, p.post(server.add(p)+"/check", server.form), "complete")
		} else {
			p.post("/demos/azure-devops", nil)
		}
		v.kill()
		v = startVictim(t, data)
		v.kill()
		nothingRuns(t, data)
	})
}

// checkedServer is a sample at an address of its own that is checked.
type checkedServer struct {
	url    string
	form   url.Values                          // of the check
	onCall atomic.Pointer[func(*http.Request)] // before each call; nil for nothing
}

func newCheckedServer(t *testing.T) *checkedServer {
	t.Helper()
	keys := seal.Generate()
	front := httptest.NewUnstartedServer(nil)
	base := "http://" + front.Listener.Addr().String()
	samples, err := sampletools.New(sampletools.Config{Keys: keys, BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	s := &checkedServer{url: base + "/mcp/azure-devops", form: url.Values{
		"tool": {"update_work_item"}, "mine": {"yes"},
		"args":    {`{"workItemId":4522,"fields":{"System.State":"Resolved"}}`},
		"answers": {`{"resolution":{"resolution":"Duplicate"},"duplicate_of":{"duplicateOfId":4301}}`},
	}}
	front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f := s.onCall.Load(); f != nil && r.Header.Get("Mcp-Method") == playground.ToolsCall {
			(*f)(r)
		}
		samples.ServeHTTP(w, r)
	})
	front.Start()
	t.Cleanup(func() { front.Close(); samples.Close() })
	return s
}

// add connects a program to the server and returns the path of its page.
func (s *checkedServer) add(p *program) string {
	p.t.Helper()
	path := p.post("/servers", url.Values{"url": {s.url}})
	for strings.Contains(p.get(path), `data-status="connecting"`) {
		lull()
	}
	path, _, _ = strings.Cut(path, "?")
	return path
}

// killInCheck kills a program at a call of a check and returns the path of the check.
func killInCheck(t *testing.T, v *victim, s *checkedServer) []string {
	t.Helper()
	c := &counter{reached: make(chan struct{})}
	c.left.Store(1 + rand.Int64N(60)) // a check makes about 90
	path := s.add(&program{t: t, url: v.url}) + "/check"
	count := func(*http.Request) { c.count() }
	s.onCall.Store(&count)
	begun := make(chan string, 1)
	go func() {
		defer close(begun)
		if to, err := send(v.url, path, s.form); err == nil {
			begun <- to
		}
	}()
	<-c.reached
	v.kill()
	s.onCall.Store(nil)
	var list []string
	for to := range begun {
		list = append(list, to)
	}
	return list
}

// killInDemo kills a program at the nth event of a visitor who goes through a demo, and
// returns the path of the demo.
func killInDemo(t *testing.T, v *victim, n int) []string {
	t.Helper()
	base, reached := countdown(t, v.url, n)
	begun := make(chan string, 1)
	go func() { // until it is killed
		defer close(begun)
		to, err := send(base, "/demos/azure-devops", nil)
		if err != nil {
			return
		}
		begun <- to
		for n := 1; err == nil; n++ {
			_, err = send(base, to, url.Values{"do": {"next"}, "step": {strconv.Itoa(n)}})
		}
	}()
	<-reached
	v.kill()
	var list []string
	for to := range begun {
		list = append(list, to)
	}
	return list
}

// awaitBoard waits until the check at a path has ended with a status.
func awaitBoard(t *testing.T, p *program, path, status string) {
	t.Helper()
	for {
		page := p.get(path)
		if !strings.Contains(page, `data-board="running"`) {
			if !strings.Contains(page, `data-board="`+status+`"`) {
				t.Errorf("%s is not %s", path, status)
			}
			return
		}
		lull()
	}
}
