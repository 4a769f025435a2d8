package flow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/drive"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/run"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

const capabilities = `{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{},` +
	`"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// server serves flows in memory, each under its name as the token, and drives calls
// of them.
type server struct {
	t       *testing.T
	flows   map[string]string
	catalog *sampletools.Catalog
	seals   *seal.Keys
	driver  drive.Driver
	calls   int
}

const base = "http://samples"

// newServer starts a server whose work takes no time. It is called in a bubble.
func newServer(t *testing.T) *server {
	t.Helper()
	keys := seal.Generate()
	s := &server{t: t, flows: map[string]string{}, seals: keys}
	var err error
	s.catalog, err = sampletools.New(sampletools.Config{
		Keys: keys, BaseURL: base, Now: time.Now,
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Flows: func(_ context.Context, token string) (sampletools.FlowText, error) {
			source, ok := s.flows[token]
			if !ok {
				return sampletools.FlowText{}, sampletools.ErrNoFlow
			}
			return sampletools.FlowText{Digest: source, Source: source}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	memory := wire.NewListener("samples")
	site := &http.Server{Handler: s.catalog}
	go func() { _ = site.Serve(memory) }()
	runner := run.New(run.Config{
		Log: run.NewMemory(), Client: playground.Client{Name: "test", Version: "1"}, Now: time.Now,
		Logger: slog.New(slog.DiscardHandler),
		Caller: wire.New(wire.Config{InMemory: func(ctx context.Context, _ string) (net.Conn, bool) {
			conn, err := memory.Dial(ctx)
			return conn, err == nil
		}}),
	})
	s.driver = drive.Driver{Runner: runner, Now: time.Now}
	t.Cleanup(func() {
		_ = runner.Close(context.Background())
		_ = site.Close()
		s.catalog.Close()
	})
	return s
}

// add serves a flow.
func (s *server) add(token, source string) *flow.Flow {
	s.t.Helper()
	f, problems := review.Parse([]byte(source))
	if f == nil {
		s.t.Fatalf("%s: %v", token, problems)
	}
	s.flows[token] = source
	return f
}

// call returns a call of a sample or flow.
func (s *server) call(slug, query string) playground.Exchange {
	s.t.Helper()
	x, ok := s.catalog.Lookup(slug)
	if !ok {
		s.t.Fatalf("no sample %s", slug)
	}
	s.calls++
	return playground.Exchange{
		ID: strconv.Itoa(s.calls),
		Target: playground.Target{ID: slug, Sample: slug, URL: base + x.Path() + "?" + query,
			Capabilities: json.RawMessage(capabilities)},
		Call: playground.Call{Method: x.Start.Method, Params: x.Start.Params},
	}
}

// answer answers as a prediction does, and finishes the pages that it is sent to.
func (s *server) answer(answers map[string]flow.Answer) drive.Answerer {
	return func(f question.Form) (playground.Answer, error) {
		key, _, _ := strings.Cut(f.Key, "-") // the keys of a task are numbered
		a := answers[key]
		var value any = map[string]any{"action": a.Action}
		switch {
		case f.Kind == question.KindURL && a.Action == "accept":
			s.press(f.Params.Get("url").Str())
		case f.Kind == question.KindForm && a.Action == "accept":
			value = map[string]any{"action": a.Action, "content": a.Values}
		case f.Kind == question.KindSampling:
			value = map[string]any{"role": "assistant", "model": a.Values["model"],
				"content": map[string]any{"type": "text", "text": a.Values["text"]}}
		case f.Kind == question.KindRoots:
			value = map[string]any{"roots": []any{map[string]any{
				"uri": a.Values["uris"].([]any)[0], "name": a.Values["names"].([]any)[0]}}}
		}
		raw, err := json.Marshal(value)
		return playground.Answer{Key: f.Key, Value: raw}, err
	}
}

// press presses the button of a page.
func (s *server) press(link string) {
	s.t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		s.t.Fatal(err)
	}
	form := url.Values{"ticket": {u.Query().Get("ticket")}}
	r := httptest.NewRequest(http.MethodPost, u.Path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.catalog.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		s.t.Errorf("page: %d %s", w.Code, w.Body)
	}
}

// served returns the rounds of a call as a prediction names them.
func served(x playground.Exchange) []string {
	var list []string
	for _, r := range playground.Fold(x.Log).Rounds {
		switch {
		case r.Kind == playground.OutcomeComplete:
			list = append(list, ended(r.Final.At("content").Items[0].Get("text").Str(), r.IsError))
		case r.Kind == playground.OutcomeRetry:
			list = append(list, "sheds")
		case len(r.Questions) > 0:
			keys := map[string]bool{}
			for _, q := range r.Questions {
				key, _, _ := strings.Cut(q.Key, "-")
				keys[key] = true
			}
			list = append(list, asked(keys))
		case r.Task == nil:
			list = append(list, fmt.Sprint(r.Kind))
		}
	}
	return list
}

func asked(keys map[string]bool) string {
	return "asks " + strings.Join(slices.Sorted(maps.Keys(keys)), " ")
}

func ended(text string, isError bool) string {
	return fmt.Sprintf("ends (error: %v) %s", isError, text)
}

// predicted returns the rounds of a prediction in the same words.
func predicted(rounds []flow.Round) []string {
	var list []string
	for _, r := range rounds {
		switch {
		case r.Ending != nil:
			list = append(list, ended(r.Ending.Text, r.Ending.Error))
		case r.Shed != "":
			list = append(list, "sheds")
		default:
			keys := map[string]bool{}
			for _, q := range r.Asks {
				keys[q.Key] = true
			}
			list = append(list, asked(keys))
		}
	}
	return list
}

// bubble runs a test where nothing waits for the clock.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

// The server does with every starting point, in each of its versions, what the
// prediction says, with both protections of the state that hold.
func TestServer_DoesWhatIsPredicted(t *testing.T) {
	for _, e := range flow.Examples() {
		bubble(t, e.Slug, func(t *testing.T) {
			s := newServer(t)
			f := s.add(e.Slug, e.Source)
			for i := range f.Versions {
				v := &f.Versions[i]
				for _, how := range []string{"state=sealed&stream=0", "state=signed&stream=1"} {
					query := fmt.Sprintf("instances=a:%s,b:%[1]s&%s", v.Name, how)
					answers := v.ExampleAnswers()
					s.driver.Decide = drive.Answers(s.answer(answers))
					x, err := s.driver.To(t.Context(), s.call("flow-"+e.Slug, query), playground.MaxRounds)
					if err != nil {
						t.Fatal(err)
					}
					if got, want := served(x), predicted(v.Predict(f.Example(),
						answers)); !slices.Equal(got, want) {
						t.Errorf("%s, %s:\n got %q\nwant %q", v.Name, how, got, want)
					}
				}
			}
		})
	}
}
