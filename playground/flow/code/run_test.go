package code_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/code"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// served is where the servers of all flows run: URLs by "SLUG VERSION INSTANCE".
type served map[string]string

// instances are those of each version. They have the same key.
var instances = []string{"a", "b"}

// TestOutput_DoesWhatTheFlowDoes is the table of what runs a flow: rows are flows with
// answers, columns the server of this program and the source in every language. Each
// does what the editor predicts: its questions and its results are the same. A check
// finds nothing in the source of a starting point.
func TestOutput_DoesWhatTheFlowDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and builds servers")
	}
	for column, start := range map[string]func(*testing.T, []example) served{
		"server": startServer, "go": source("go", startGo),
		"typescript": source("typescript", startTypeScript), "python": source("python", startPython),
	} {
		t.Run(column, func(t *testing.T) {
			t.Parallel()
			examples := all(t)
			urls := start(t, examples)
			for _, e := range examples[:len(examples)-1] { // the last one has expired
				t.Run(e.name, func(t *testing.T) {
					t.Parallel()
					e.drive(t, urls, column != "server")
				})
			}
			t.Run("upgrade", func(t *testing.T) { upgrades(t, urls, examples) })
			t.Run("early", func(t *testing.T) { ignoresEarlyAnswers(t, urls["refund v1 a"]) })
			if column != "server" {
				t.Run("late", func(t *testing.T) { refusesExpired(t, urls["expired v1 a"]) })
			}
		})
	}
}

// source returns what writes the source of all flows in a language and starts it.
func source(
	language string, start func(*testing.T, string, []example) *exec.Cmd,
) func(*testing.T, []example) served {
	return func(t *testing.T, examples []example) served {
		dir := t.TempDir()
		for _, e := range examples {
			write(t, filepath.Join(dir, e.name), files(t, e.Flow, language))
		}
		return listen(t, start(t, dir, examples))
	}
}

// example is a flow whose work takes no time: a starting point, or one of testdata.
type example struct {
	name string
	*flow.Flow
	isStart bool
	answers map[string]map[string]flow.Answer // by version; nil for those of its fields
}

// answersOf returns the answers to the questions of a version.
func (e example) answersOf(v *flow.Version) map[string]flow.Answer {
	if e.answers == nil {
		return v.ExampleAnswers()
	}
	return e.answers[v.Name]
}

func all(t *testing.T) []example {
	t.Helper()
	var list []example
	sources := flow.Examples()
	paths, err := filepath.Glob("testdata/*.*")
	if err != nil || len(paths) < 8 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(slices.Clip(sources), flow.Example{Slug: filepath.Base(path), Source: string(b)})
	}
	for _, e := range sources {
		list = append(list, example{e.Slug, quick(t, e.Source), !strings.Contains(e.Slug, "."), nil})
	}
	list = append(list, behaviors(t)...)
	refund, ok := flow.FindExample("refund")
	f, problems := review.Parse([]byte(refund.Source))
	if !ok || f == nil {
		t.Fatal(problems)
	}
	f.State.Life = "-1s" // its states have expired
	return append(list, example{"expired", f, false, nil})
}

// quick reads a flow, and takes the time out of its work.
func quick(t *testing.T, source string) *flow.Flow {
	t.Helper()
	f, problems := review.Parse([]byte(source))
	if f == nil {
		t.Fatal(problems)
	}
	for _, v := range f.Versions {
		for i := range v.Steps {
			v.Steps[i].Seconds = min(v.Steps[i].Seconds, 0.001)
		}
		if v.Task != nil {
			for i := range v.Task.Steps {
				v.Task.Steps[i].Seconds = min(v.Task.Steps[i].Seconds, 0.001)
			}
		}
	}
	return f
}

func files(t *testing.T, f *flow.Flow, language string) []code.File {
	t.Helper()
	list, err := code.Files(f, language)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, dir string, files []code.File) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Path), []byte(f.Content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// listen starts the program that serves all flows, and reads its URLs.
func listen(t *testing.T, c *exec.Cmd) served {
	t.Helper()
	c.Env = append(os.Environ(), "MCP_KEY="+strings.Repeat("k", 32), "USERS=demo-alice=ada,demo-bob=bob")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, _ = c.Process.Kill(), c.Wait()
		if t.Failed() {
			t.Logf("standard error: %s", &stderr)
		}
	})
	urls := served{}
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "ready"; {
		name, url, _ := strings.Cut(lines.Text(), " = ")
		urls[name] = url
	}
	return urls
}

// drive makes the calls of a flow.
func (e example) drive(t *testing.T, urls served, isSource bool) {
	for i := range e.Versions {
		v := &e.Versions[i]
		answers := e.answersOf(v)
		url := func(instance string) string { return urls[e.name+" "+v.Name+" "+instance] }
		b := &balancer{t: t, Caller: wire.New(wire.Config{}), urls: []string{url("a"), url("b")}}
		if hasPage(v) || v.Task != nil {
			b.urls = b.urls[:1] // two instances would have to share the page or the task
		}
		b.follow(v, e.Flow, answers)
		if b.old = v.Task != nil && !v.Task.Required; b.old {
			b.follow(v, e.Flow, answers)
			b.old = false
		}
		for _, r := range v.Predict(e.Example(), answers) {
			for _, q := range r.Asks {
				if strings.HasSuffix(e.name, "s.json") || e.answers != nil {
					break // all questions are alike, or the answers name the refused ones
				}
				if q.Kind != flow.Form && q.Kind != flow.URL {
					continue
				}
				for action, how := range map[string]flow.Reaction{"decline": q.Decline, "cancel": q.Cancel} {
					if how.Again {
						continue // for ever
					}
					refused := maps.Clone(answers)
					refused[q.Key] = flow.Answer{Action: action}
					b.follow(v, e.Flow, refused)
				}
			}
		}
		if e.isStart && isSource {
			b.urls, b.refuses = b.urls[:1], false
			b.check(v, e.Flow)
		}
	}
}

func hasPage(v *flow.Version) bool {
	return slices.ContainsFunc(v.Steps, func(s flow.Step) bool { return s.Kind == flow.URL })
}

// balancer sends requests to instances in turn, and presses the button of the pages
// that they ask to open.
type balancer struct {
	t *testing.T
	run.Caller
	urls []string
	sent int
	old  bool // the client does not have tasks
	// refuses says that no page is confirmed: a server counts a pressed button, whatever
	// the answer says then.
	refuses bool
}

var pageURL = regexp.MustCompile(`http://127\.0\.0\.1:\d+/[\w/-]*page\?ticket=([\w.~-]+)"`)

func (b *balancer) Send(ctx context.Context, _ string, f wire.Frame,
	record func(wire.Part) error) wire.Timing {
	address := b.urls[b.sent%len(b.urls)]
	b.sent++
	var received []byte
	pressed := false
	return b.Caller.Send(ctx, address, f, func(p wire.Part) error {
		received = append(received, p.Bytes...)
		if page := pageURL.FindSubmatch(received); page != nil && !pressed && !b.refuses {
			pressed = true
			link, ticket := strings.TrimSuffix(string(page[0]), `"`), url.Values{"ticket": {string(page[1])}}
			if res, err := http.PostForm(link, ticket); err != nil {
				b.t.Error(err)
			} else {
				_ = res.Body.Close()
			}
		}
		return record(p)
	})
}

var me = playground.Client{Name: "test", Version: "1"}

func (b *balancer) runner() *run.Runner {
	r := run.New(run.Config{
		Log: run.NewMemory(), Client: me, Now: time.Now, Caller: b, Logger: slog.New(slog.DiscardHandler),
	})
	b.t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r
}

const capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}`

func (b *balancer) target() playground.Target {
	declared := capabilities + "}"
	if !b.old {
		declared = capabilities + `,"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	}
	return playground.Target{
		ID: "code", URL: b.urls[0], Capabilities: json.RawMessage(declared), Header: bearer("demo-alice"),
	}
}

func bearer(token string) []wire.Field {
	return []wire.Field{{Name: "Authorization", Value: "Bearer " + token}}
}

func call(f *flow.Flow) playground.Call {
	return playground.Call{
		Method: playground.ToolsCall,
		Params: encoded(map[string]any{"name": f.Name, "arguments": f.Example()}),
	}
}

func encoded(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// onWire returns answers as they are on the wire.
func onWire(v *flow.Version, answers map[string]flow.Answer) map[string]json.RawMessage {
	list := map[string]json.RawMessage{}
	steps := v.Steps
	if v.Task != nil {
		steps = slices.Concat(v.Steps, v.Task.Steps)
	}
	for _, s := range steps {
		a := answers[s.Key]
		switch {
		case s.Kind == flow.Sampling:
			list[s.Key] = encoded(map[string]any{"role": "assistant", "model": a.Values["model"],
				"content": map[string]any{"type": "text", "text": a.Values["text"]}})
		case s.Kind == flow.Roots:
			list[s.Key] = encoded(map[string]any{"roots": rootsOf(a)})
		case s.Kind == flow.Form && a.Action == "accept":
			list[s.Key] = encoded(map[string]any{"action": a.Action, "content": a.Values})
		case s.Kind.Asks():
			list[s.Key] = encoded(map[string]any{"action": a.Action})
		}
	}
	return list
}

// rootsOf returns the folders of an answer.
func rootsOf(a flow.Answer) []map[string]any {
	uris, _ := a.Values["uris"].([]any)
	names, _ := a.Values["names"].([]any)
	list := make([]map[string]any, len(uris))
	for i := range uris {
		list[i] = map[string]any{"uri": uris[i], "name": names[i]}
	}
	return list
}

// follow makes a call with these answers. It must go as the version predicts.
func (b *balancer) follow(v *flow.Version, f *flow.Flow, answers map[string]flow.Answer) {
	b.t.Helper()
	b.refuses = false
	for key, a := range answers {
		q, _ := v.Question(key)
		b.refuses = b.refuses || q.Kind == flow.URL && a.Action != "accept"
	}
	var want []string
	instances := []string{"a", "b"}[:len(b.urls)]
	for _, r := range v.PredictOn(f.Example(), answers, instances...) {
		want = append(want, predicted(r))
	}
	got := b.make(f, onWire(v, answers))
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		b.t.Errorf("%s: got\n%s\nwant\n%s", v.Name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// make makes a call with these answers, from the first instance on, and describes its
// rounds.
func (b *balancer) make(f *flow.Flow, given map[string]json.RawMessage) []string {
	b.t.Helper()
	b.sent = 0
	driver := drive.Driver{Runner: b.runner(), Client: me, Now: time.Now,
		Decide: drive.Answers(func(q question.Form) (playground.Answer, error) {
			value, ok := q.Given(given)
			if !ok { // the server of this program numbers the questions of a task
				value, ok = given[number.ReplaceAllString(q.Key, "")]
			}
			if !ok {
				return playground.Answer{}, fmt.Errorf("no answer to %s", q.Key)
			}
			return q.FromJSON(value)
		})}
	x, err := driver.To(b.t.Context(), playground.Exchange{ID: "x", Target: b.target(), Call: call(f)},
		playground.MaxRounds)
	if err != nil {
		b.t.Error(err)
	}
	var rounds []string
	for _, r := range x.Fold().Rounds {
		if words := describe(r); words != "" {
			rounds = append(rounds, words)
		}
	}
	return rounds
}

// number ends the key of a question in a task of the server.
var number = regexp.MustCompile(`-\d+$`)

// describe returns a round in words.
func describe(r playground.Round) string {
	if r.Final != nil {
		words := r.Final.Get("content").Elements()[0].Get("text").Str()
		return fmt.Sprintf("ends %q %t", words, r.IsError || r.Final.Get("isError").True())
	}
	switch r.Kind {
	case playground.OutcomeTask, playground.OutcomeTaskStatus, playground.OutcomeAck:
		if len(r.Questions) == 0 {
			return "" // of a task
		}
		fallthrough
	case playground.OutcomeInputRequired:
		var list []string
		for _, q := range r.Questions {
			params := q.Params
			words, _ := params.Get("message").Text()
			if messages := params.Get("messages").Elements(); len(messages) > 0 {
				words = messages[0].At("content", "text").Str()
			}
			schema, key := canonical(params.Get("requestedSchema").Raw()), q.Key
			if r.Task != nil {
				key = number.ReplaceAllString(key, "")
			}
			list = append(list, fmt.Sprintf("%s %q %s", key, words, schema))
		}
		slices.Sort(list)
		return strings.Join(list, "\n")
	}
	return string(r.Kind) + " " + r.Detail
}

func predicted(r flow.Round) string {
	switch {
	case r.Ending != nil:
		return fmt.Sprintf("ends %q %t", r.Ending.Text, r.Ending.Error)
	case r.Shed != "":
		return string(playground.OutcomeRetry) + " "
	}
	var list []string
	for _, q := range r.Asks {
		list = append(list, fmt.Sprintf("%s %q %s", q.Key, q.Words, canonical(q.Schema)))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func canonical(raw json.RawMessage) string {
	n, err := jsontree.Parse(raw, jsontree.Limits{})
	if err != nil {
		return ""
	}
	return string(jsontree.Canonical(n))
}
