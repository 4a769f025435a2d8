package lines_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/lines"
	"github.com/mrtr-playground/mrtr-playground/playground/lines/linestest"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

func TestMain(m *testing.M) {
	linestest.Main()
	os.Exit(m.Run())
}

// newServers returns servers that wait for as long as the test runs, and the URLs of the
// commands.
func newServers(t *testing.T, c lines.Config, commands ...[]string) (*lines.Servers, []string) {
	t.Helper()
	c.Patience, c.Grace = time.Hour, time.Hour
	s := lines.New(c)
	var urls []string
	for _, words := range commands {
		url, _ := s.Add(words)
		urls = append(urls, url)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	return s, urls
}

// forever are limits of time that no test reaches.
var forever = wire.Limits{FirstByte: time.Hour, Total: time.Hour, Idle: time.Hour}

// send sends one line and returns the text of the result, or the failure.
func send(t *testing.T, c run.Caller, url, body string) (text string, failed *wire.Failure) {
	t.Helper()
	c.Send(t.Context(), url, wire.Line([]byte(body+"\n")), func(p wire.Part) error {
		text += string(wire.Split(p.Bytes).Body)
		failed = p.Failure
		return nil
	})
	if _, after, found := strings.Cut(text, `"text":"`); found {
		text, _, _ = strings.Cut(after, `"}]`)
	}
	return text, failed
}

// toolCall returns the line that calls a tool.
func toolCall(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q}}`, id, tool)
}

// TestCaller_OneProcess: requests share a process, and two commands have two.
func TestCaller_OneProcess(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{}, linestest.Words("modern", "a"), linestest.Words("modern", "b"))
	c := s.Caller(nil, forever)
	pids := make([]string, 4)
	done := make(chan struct{})
	for i := range pids {
		go func() {
			pids[i], _ = send(t, c, urls[i%2], toolCall(7, "pid")) // also with an id that is in use
			done <- struct{}{}
		}()
	}
	for range pids {
		<-done
	}
	if pids[0] == "" || pids[0] != pids[2] || pids[1] != pids[3] || pids[0] == pids[1] {
		t.Errorf("%q", pids)
	}
	if len(s.All()) != 2 || s.All()[1].URL != urls[1] {
		t.Errorf("%+v", s.All())
	}
}

// TestCaller_Faults: each failure of a command has its own words, and the next call works
// (fault 128).
func TestCaller_Faults(t *testing.T) {
	t.Parallel()
	short := forever
	short.FirstByte = time.Millisecond
	quiet := forever
	quiet.Idle = time.Millisecond
	for _, test := range []struct {
		tool   string
		limits wire.Limits
		class  wire.Class
		words  string
		same   bool // the process goes on
	}{
		{"flood", forever, "", "", true},
		{"rubbish", forever, "", "", true},
		{"silent", short, wire.TimeoutFirstByte, "wrote nothing for 1ms", true},
		{"babble", quiet, wire.TimeoutIdle, "for 1ms; 1 line came, but no response", true},
		{"deep", forever, playground.TooDeep, "64 levels", true},
		{"endless", forever, wire.TooLarge, "larger than", false},
		{"long", forever, wire.TooLarge, "larger than", true},
		{"die", forever, wire.CommandEnded, "exit status 3", false},
	} {
		t.Run(test.tool, func(t *testing.T) {
			t.Parallel()
			s, urls := newServers(t, lines.Config{}, linestest.Words("modern"))
			patient := s.Caller(nil, forever)
			before, _ := send(t, patient, urls[0], toolCall(1, "pid"))
			_, failed := send(t, s.Caller(nil, test.limits), urls[0], toolCall(2, test.tool))
			switch {
			case test.class == "" && failed != nil:
				t.Errorf("%v", failed)
			case test.class != "" && (failed == nil || failed.Class != test.class ||
				!strings.Contains(failed.Detail, test.words)):
				t.Errorf("%+v", failed)
			}
			after, failed := send(t, patient, urls[0], toolCall(3, "pid"))
			for n := 4; test.tool == "endless" && failed != nil; n++ { // until it was ended
				after, failed = send(t, patient, urls[0], toolCall(n, "pid"))
			}
			if failed != nil || (after == before) != test.same {
				t.Errorf("pid %s, then %s, %v", before, after, failed)
			}
		})
	}
}

// TestCaller_Rubbish: lines beside the response of the only request in progress are shown
// with it, and others are kept apart, the newest ones.
func TestCaller_Rubbish(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{}, linestest.Words("modern"))
	var parts []string
	s.Caller(nil, forever).Send(t.Context(), urls[0], wire.Line([]byte(toolCall(1, "rubbish")+"\n")),
		func(p wire.Part) error {
			parts = append(parts, string(wire.Split(p.Bytes).Body))
			return nil
		})
	if len(parts) != 4 || parts[0] != "Listening for messages …\n" || parts[2] != "\xff[1]\n" {
		t.Errorf("%q", parts)
	}
	c, _ := s.Command(urls[0])
	if len(c.Stray) != 0 {
		t.Errorf("%v", c.Stray)
	}
}

// TestCommand_StderrIsBounded: the end of it is kept, without the secrets in
// the words of the command and elsewhere.
func TestCommand_StderrIsBounded(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{
		Secrets: []string{"env-secret-value"}, Env: []string{"SOME_TOKEN=env-secret-value"},
	}, linestest.Words("modern", "--api-key=word-secret-value", "--token", "other-secret"))
	c := s.Caller(nil, forever)
	said, _ := send(t, c, urls[0], toolCall(1, "environment"))
	if !strings.Contains(said, "SOME_TOKEN=****************") || strings.Contains(said, "env-secret-value") {
		t.Errorf("%s", said)
	}
	send(t, c, urls[0], toolCall(2, "flood"))
	s.Close(t.Context()) // standard error has no order with output
	got, _ := s.Command(urls[0])
	written := got.Written(time.Time{}, time.Time{})
	if len(written) > 64<<10 || !got.Cut || !strings.HasSuffix(written, "flood\nthe last line\n") {
		t.Errorf("%d bytes, %v, %.40q", len(written), got.Cut, written)
	}
	const masked = " '--api-key=********' --token '********'"
	if strings.Contains(got.Name, "secret") || !strings.HasSuffix(got.Name, masked) {
		t.Error(got.Name)
	}
}

// TestServers_EndWithChildren: processes that a command has started end with
// it, although they hold its output open.
func TestServers_EndWithChildren(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"fork", "die"} {
		address, held := linestest.Held(t)
		s, urls := newServers(t, lines.Config{}, linestest.Words("modern", tool))
		c := s.Caller(nil, forever)
		send(t, c, urls[0], `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fork",`+
			`"arguments":{"address":"`+address+`"}}}`)
		<-held // once a process connects
		if tool == "die" {
			send(t, c, urls[0], toolCall(2, "die"))
		} else {
			s.Close(t.Context())
		}
		<-held // at the end of the last one
	}
}

// TestServers_Restart: the process that requests share ends, and another begins.
func TestServers_Restart(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{}, linestest.Words("modern"))
	c := s.Caller(nil, forever)
	before, _ := send(t, c, urls[0], toolCall(1, "pid"))
	s.Restart(t.Context(), urls[0])
	s.Restart(t.Context(), "stdio:0123456789abcdef") // none
	after, _ := send(t, c, urls[0], toolCall(1, "pid"))
	got, _ := s.Command(urls[0])
	if before == after || len(got.Processes) != 2 || got.Processes[0].Ended != "exit status 0" ||
		got.Processes[1].Ended != "" {
		t.Errorf("%s, %s, %+v", before, after, got.Processes)
	}
}

// TestCaller_StartsOnlyWhatWasAdded: a URL cannot name a command (fault 127), and nothing
// starts once the servers are closed.
func TestCaller_StartsOnlyWhatWasAdded(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{}, []string{"/nowhere/server"}, linestest.Words("modern"))
	c := s.Caller(nil, forever)
	for url, class := range map[string]wire.Class{
		wire.CommandURL([]string{"touch", "/tmp/started"}): wire.NoCommand, urls[0]: wire.NotStarted,
	} {
		if _, failed := send(t, c, url, toolCall(1, "pid")); failed == nil || failed.Class != class {
			t.Errorf("%s: %v", url, failed)
		}
	}
	s.Close(t.Context())
	_, failed := send(t, c, urls[1], toolCall(1, "pid"))
	if failed == nil || failed.Class != wire.NotStarted {
		t.Errorf("%v", failed)
	}
}

// newRunner returns a runner whose calls go to servers.
func newRunner(t *testing.T, s *lines.Servers) (*run.Runner, *run.Memory) {
	t.Helper()
	log := run.NewMemory()
	r := run.New(run.Config{
		Log: log, Caller: s.Caller(nil, forever), Open: s.Caller(nil, forever),
		Sessions: s.Sessions(forever, forever), Client: playground.Client{Name: "t", Version: "1"},
		Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r, log
}

// callOf returns an exchange that calls a tool.
func callOf(id, url, tool string, era playground.Era) playground.Exchange {
	return playground.Exchange{
		ID: id, Created: time.Now(),
		Target: playground.Target{
			Name: "lines", URL: url, Era: era, Capabilities: []byte(`{"elicitation":{}}`),
		},
		Call: playground.Call{Method: playground.ToolsCall, Params: []byte(`{"name":"` + tool + `"}`)},
	}
}

// accept answers every question with a name.
func accept(last playground.Round) (playground.Decision, error) {
	d := playground.Decision{Action: playground.ActionAnswer, Round: last.N + 1}
	for _, q := range last.Questions {
		d.Answers = append(d.Answers, playground.Answer{
			Key: q.Key, Value: []byte(`{"action":"accept","content":{"name":"Ada"}}`),
		})
	}
	return d, nil
}

// TestRunner_Eras: a call with a question, in both eras. Each session of an earlier
// revision has a process of its own.
func TestRunner_Eras(t *testing.T) {
	t.Parallel()
	for _, era := range []playground.Era{playground.Modern, playground.Legacy} {
		s, urls := newServers(t, lines.Config{}, linestest.Words(string(era)))
		r, _ := newRunner(t, s)
		for _, id := range []string{"first", "second"} {
			driver := drive.Driver{Runner: r, Decide: accept}
			x, err := driver.To(t.Context(), callOf(id, urls[0], "ask", era), playground.MaxRounds)
			if err != nil {
				t.Fatal(err)
			}
			f := x.Fold()
			got := string(f.Last().Result.Raw())
			if f.Status != playground.StatusComplete || len(f.Rounds) != 2 ||
				!strings.Contains(got, "Hello, Ada") {
				t.Errorf("%s: %s, %d rounds, %s", era, f.Status, len(f.Rounds), got)
			}
		}
		s.Close(t.Context())
		c, _ := s.Command(urls[0])
		want := map[playground.Era]int{playground.Modern: 1, playground.Legacy: 2}[era]
		if len(c.Processes) != want {
			t.Errorf("%s: %+v", era, c.Processes)
		}
	}
}

// TestRunner_ResponseToANotification: a result without an id after a notification is not taken
// for the response to the request that is open when it comes.
func TestRunner_ResponseToANotification(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{}, linestest.Words("replying"))
	r, _ := newRunner(t, s)
	driver := drive.Driver{Runner: r, Decide: accept}
	x, err := driver.To(t.Context(), callOf("x", urls[0], "ask", playground.Legacy), playground.MaxRounds)
	if err != nil {
		t.Fatal(err)
	}
	f := x.Fold()
	if got := string(f.Last().Result.Raw()); f.Status != playground.StatusComplete ||
		!strings.Contains(got, "Hello, Ada") {
		t.Errorf("%s: %s: %s", f.Status, f.Last().Detail, got)
	}
	s.Close(t.Context())
	c, _ := s.Command(urls[0])
	if n := len(c.Stray); n != 1 || !strings.Contains(string(c.Stray[0].Data), `"result":null`) {
		t.Errorf("%d lines for no request", n)
	}
}

// TestRunner_LegacyRoots: a server of an earlier revision that asks for the roots while a
// call is open is answered beside it, and the call does not change.
func TestRunner_LegacyRoots(t *testing.T) {
	t.Parallel()
	const ada = `[{"uri":"file:///home/ada"}]`
	for capabilities, want := range map[string]string{`{"roots":{}}`: "file:///home/ada", `{}`: "-32601"} {
		s, urls := newServers(t, lines.Config{Roots: func() json.RawMessage { return json.RawMessage(ada) }},
			linestest.Words("legacy"))
		r, _ := newRunner(t, s)
		x := callOf("x", urls[0], "roots", playground.Legacy)
		x.Target.Capabilities = []byte(capabilities)
		driver := drive.Driver{Runner: r, Decide: accept}
		x, err := driver.To(t.Context(), x, playground.MaxRounds)
		if err != nil {
			t.Fatal(err)
		}
		f := x.Fold()
		if got := string(f.Last().Result.Raw()); f.Status != playground.StatusComplete ||
			len(f.Rounds) != 1 || !strings.Contains(got, want) {
			t.Errorf("%s: %s, %d rounds, %s", capabilities, f.Status, len(f.Rounds), got)
		}
		s.Close(t.Context())
		c, _ := s.Command(urls[0])
		if n := len(c.Stray); n != 2 || c.Stray[0].Kind != playground.Received ||
			c.Stray[1].Kind != playground.Sent {
			t.Errorf("%d lines for no request", n)
		}
	}
}

// TestRunner_CancelsOnTheChannel: lines have no connection to close.
func TestRunner_CancelsOnTheChannel(t *testing.T) {
	t.Parallel()
	s, urls := newServers(t, lines.Config{}, linestest.Words("modern"))
	r, log := newRunner(t, s)
	x := callOf("given-up", urls[0], "silent", playground.Modern)
	_, err := r.Decide(t.Context(), x, playground.Decision{Action: playground.ActionStart, Round: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.Cancel(x.ID)
	r.Wait(t.Context(), x.ID)
	said := ""
	for id := 1; said == ""; id++ { // the notification is on its way
		said, _ = send(t, s.Caller(nil, forever), urls[0], toolCall(id, "cancelled"))
	}
	if said != `\"1-given-up\"` {
		t.Errorf("%s", said)
	}
	x.Log = log.Events(x.ID)
	f := x.Fold()
	if f.Status != playground.StatusCancelled || len(f.Last().Others) != 1 ||
		f.Last().Others[0].Method != playground.CancelledNotified {
		t.Errorf("%s, %+v", f.Status, f.Last().Others)
	}
}
