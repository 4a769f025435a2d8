package learn_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/exercise"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

// learner is a client of the exercise. Its fault is the id of the requirement that
// it misses, or one of otherFaults; empty for none.
type learner struct {
	*sitetest.Site
	path  string // of its address
	page  string // that shows the met requirements
	fault string
	id    int
	kept  string // the last state of the call
}

// newLearner gets an address, in one click.
func newLearner(s *sitetest.Site, fault string) *learner {
	s.T.Helper()
	page := s.Follow(lesson.ClientExercisePath, url.Values{})
	address, err := url.Parse(page.HTML().Texts("[data-address]")[0])
	sitetest.Check(s.T, err)
	return &learner{Site: s, path: address.Path, page: s.Last, fault: fault}
}

// askingResult is the part of a result that the learner reads.
type askingResult struct {
	ResultType    string
	InputRequests map[string]struct {
		Params struct{ Mode, URL string }
	}
	RequestState *string
	Tools        []struct{ Name string }
}

// send sends a request under an id.
func (l *learner) send(id int, method string, params map[string]any, without string) askingResult {
	l.T.Helper()
	params = maps.Clone(params)
	meta := map[string]any{
		"io.modelcontextprotocol/protocolVersion": wire.ProtocolVersion,
		"io.modelcontextprotocol/clientInfo":      map[string]any{"name": "learner", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{
			"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}}},
	}
	head := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {wire.ProtocolVersion}, "Mcp-Method": {method},
	}
	if name, ok := params["name"].(string); ok {
		head.Set("Mcp-Name", name)
	}
	delete(meta, without)
	head.Del(without)
	params["_meta"] = meta
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	sitetest.Check(l.T, err)
	got := l.Do(http.MethodPost, l.path, string(body), head)
	var message struct{ Result askingResult }
	sitetest.Check(l.T, json.Unmarshal([]byte(got.Body), &message))
	return message.Result
}

// run lists the tools and calls each.
func (l *learner) run() {
	l.T.Helper()
	without := map[string]string{"headers": "Mcp-Method",
		"meta": "io.modelcontextprotocol/clientCapabilities"}[l.fault]
	l.id++
	list := l.send(l.id, "tools/list", map[string]any{}, without)
	for _, tool := range list.Tools {
		l.call(tool.Name)
	}
	l.id++
	l.send(l.id, "tools/list", map[string]any{}, "")
}

// call calls a tool until it is complete.
func (l *learner) call(name string) {
	l.T.Helper()
	first := map[string]any{"name": name, "arguments": map[string]any{}}
	l.id++
	result := l.send(l.id, playground.ToolsCall, first, "")
	given := map[string]any{}
	l.kept = ""
	for range 10 {
		if result.ResultType != "input_required" &&
			(l.fault != "unknown-type" || result.InputRequests == nil) {
			return
		}
		params := maps.Clone(first)
		answers := l.answers(name, result)
		if l.fault == "only-asked" {
			maps.Copy(given, answers)
			answers = given
		}
		if len(answers) > 0 {
			params["inputResponses"] = answers
		}
		if result.RequestState != nil {
			params["requestState"] = *result.RequestState
			l.kept = *result.RequestState
		} else if l.fault == "keeps the old state" && l.kept != "" {
			params["requestState"] = l.kept
		}
		if l.fault != "new-id" {
			l.id++
		}
		switch l.fault + " " + name {
		case "echo echo_quotes":
			params["requestState"] = strings.ReplaceAll(*result.RequestState, `"`, `\"`)
		case "trims the state echo_space":
			params["requestState"] = strings.TrimSpace(*result.RequestState)
		case "no-state no_state":
			params["requestState"] = ""
		case "same-call same_arguments":
			params["arguments"] = map[string]any{"again": true}
		case "state-only state_only":
			params["requestState"] = *result.RequestState + "x"
		}
		result = l.send(l.id, playground.ToolsCall, params, "")
	}
}

// answers answers every question: forms without a value, and no link.
func (l *learner) answers(name string, result askingResult) map[string]any {
	answers := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(result.InputRequests)) {
		q := result.InputRequests[key].Params
		switch {
		case q.Mode == "url":
			if l.fault == "link" {
				u, err := url.Parse(q.URL)
				sitetest.Check(l.T, err)
				l.Get(u.Path)
			}
			answers[key] = map[string]any{"action": "decline"}
		case l.fault == "actions" && name == "decline":
			answers[key] = map[string]any{"content": map[string]any{}}
		case name == "decline":
			answers[key] = map[string]any{"action": "decline"}
		default:
			answers[key] = map[string]any{"action": "accept", "content": map[string]any{}}
		}
		if l.fault == "all-answers" && name == "two_questions" {
			break
		}
	}
	return answers
}

// otherFaults are faults that the sentence of a requirement names, too.
var otherFaults = map[string]string{"keeps the old state": "no-state", "trims the state": "echo"}

// TestClientExercise_FaultsOfItsSentences: each misses the requirement that names it.
func TestClientExercise_FaultsOfItsSentences(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for fault, missed := range otherFaults {
		l := newLearner(s, fault)
		l.run()
		page := s.Page(l.page)
		for id, got := range standings(page.Body) {
			want := verdict.Passed
			if id == missed {
				want = verdict.Failed
			}
			if got != string(want) {
				t.Errorf("a client that %s: %s is %s, want %s", fault, id, got, want)
			}
		}
		page.Has(t, `[data-next] [href^="/clients/"] "Read the whole report"`,
			`[data-next] [href^="/learn/"] "Lesson on"`)
		page.HasNot(t, `[data-next] [href="/test#client"]`)
	}
}

// TestClientExercise: a client without a fault meets everything, and for each
// requirement there is a client that misses just that one; with -short, for the first.
func TestClientExercise(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	all := exercise.ClientRequirements()
	if len(all) != 12 {
		t.Errorf("%d requirements", len(all))
	}
	s.Page(lesson.ClientExercisePath).Has(t, `"12 requirements"`, `[data-do="capture"]`,
		`[data-command] "mrtr-playground client -only requests,echo_quotes,echo_space"`)
	if testing.Short() {
		all = all[:1]
	}
	for _, r := range append(slices.Clone(all), exercise.ClientRequirement{}) {
		l := newLearner(s, r.ID)
		l.run()
		page := s.Page(l.page)
		for id, got := range standings(page.Body) {
			want := verdict.Passed
			if id == r.ID {
				want = verdict.Failed
			}
			if got != string(want) {
				t.Errorf("fault %q: %s is %s, want %s", r.ID, id, got, want)
			}
		}
		if r.ID == "" {
			page.Has(t, `"All 12 requirements are met"`, `main[data-live]`,
				`[data-next] a[href^="/clients/"] "Read the whole report"`,
				`[data-next] a[href="/test#client"]`)
			continue
		}
		page.Has(t, `"11 of 12 met"`)
		row := `[data-requirement="` + r.ID + `"] `
		page.Has(t, row+`[data-why]`, row+`a[href="/learn/`+r.Lesson+`"]`,
			row+`a[href="`+r.Sentence.Link()+`"]`)
		bytes := page.HTML().Values(row+"p.small a:last-child", "href")
		last := bytes[len(bytes)-1]
		path, anchor, _ := strings.Cut(last, "#")
		s.Page(path).Has(t, `[data-frame="request"]`)
		if anchor != "" {
			s.Page(path).Has(t, "#"+anchor)
		}
	}
	s.NoErrors()
}

// TestClientExercise_Listing: the listing of the lesson meets everything.
func TestClientExercise_Listing(t *testing.T) {
	if testing.Short() {
		t.Skip("-short builds no program")
	}
	t.Parallel()
	s := sitetest.New(t, app.Local)
	l := newLearner(s, "")
	program := filepath.Join(t.TempDir(), "client")
	build := exec.Command("go", "build", "-o", program, "../../playground/lesson/listings/go/client")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "MRTR_SERVER_URL="+s.URL+l.path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s.Page(l.page).Has(t, fmt.Sprintf(`"All %d requirements are met"`, len(exercise.ClientRequirements())))
	if n := strings.Count(string(out), "\n"); n != len(exercise.ClientScenarios())-1 {
		t.Errorf("%d tools were called:\n%s", n, out)
	}
}

// TestClientExercise_OtherCaptures: the list is for the owner of the capture, and
// for one of the client test.
func TestClientExercise_OtherCaptures(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	other := strings.TrimPrefix(s.Capture("azure-devops", "").Page, "/clients/")
	for _, id := range []string{other, "nothing"} {
		got := s.Page(lesson.ClientExercisePath + "?capture=" + id)
		if got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", id, got.Status)
		}
	}
}
