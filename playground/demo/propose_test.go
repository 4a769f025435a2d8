package demo

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
)

// reread returns the story that Parse reads from what YAML writes, without the lines.
func reread(t *testing.T, s Story) Story {
	t.Helper()
	again, problems := Parse([]byte(s.YAML()))
	if len(problems) > 0 {
		t.Fatalf("%v in\n%s", problems, s.YAML())
	}
	return unlined(again)
}

func unlined(s Story) Story {
	steps := append([]Step{}, s.Steps...)
	for i := range steps {
		steps[i].Line = 0
	}
	s.Slug, s.Steps = "", steps
	return s
}

func TestYAML_IsReadAsTheSameStory(t *testing.T) {
	for _, s := range Stories() {
		if diff := cmp.Diff(unlined(s), reread(t, s)); diff != "" {
			t.Errorf("%s: %s", s.Slug, diff)
		}
	}
	odd := Stories()[0]
	odd.Title, odd.Claim = "no", `"quoted": #1 {x} - [y]`
	odd.Lead = strings.Repeat("word: # ", 40) + "end"
	odd.Steps[0].Note = "two\n  lines"
	odd.Steps[0].Title = "true"
	if diff := cmp.Diff(unlined(odd), reread(t, odd)); diff != "" {
		t.Error(diff)
	}
}

// called is an exchange with two Rounds.
func called() playground.Exchange {
	l := lane{}.round("a/v1", asks("resolution")).round("b/v1", done)
	at := l[0].At
	l[3] = playground.Decision{Action: playground.ActionAnswer, Round: 2, Answers: []playground.Answer{{
		Key: "resolution", Value: []byte(`{"action":"accept","content":{"resolution":"Duplicate"}}`),
	}}}.Event(at)
	l[3].Seq = 4
	return playground.Exchange{
		ID: "x1", Log: l, Target: playground.Target{Name: "Azure (sample)", Sample: "azure-devops"},
		Call: playground.Call{Method: "tools/call", Params: []byte(`{"name":"update"}`)},
	}
}

func TestFromExchange_MakesTheCallAgain(t *testing.T) {
	s := FromExchange(called(), Place{Sample: "azure-devops", Versions: []string{"v1"}, Legacy: true})
	again := reread(t, s)
	if again.Sample != "azure-devops" || string(again.Answers["resolution"]) != `{"resolution":"Duplicate"}` {
		t.Errorf("%+v", again)
	}
	var words []string
	for _, step := range again.Steps {
		words = append(words, step.word()+" "+step.Button+": "+step.Title)
	}
	want := "send Call update: The server asks for resolution.\n" +
		"send Answer: Duplicate: The call completes.\n" +
		"show Look inside the state: What the server must remember is in here.\n" +
		"show The same before MRTR: Before MRTR, the call stayed on one instance."
	if got := strings.Join(words, "\n"); got != want {
		t.Errorf("%s", got)
	}
	if !strings.Contains(again.Steps[0].Text, "Instance {asked} asked for resolution") ||
		!strings.Contains(again.Steps[1].Text, "{result}") {
		t.Errorf("texts: %q, %q", again.Steps[0].Text, again.Steps[1].Text)
	}
	if c := again.Caption(2, playground.Fold(called().Log)); c.OffScript {
		t.Errorf("the recording itself is off the script: %+v", c)
	}
}

func TestFromExchange_OfWhatCannotBeRepeatedIsRecorded(t *testing.T) {
	at := Place{Sample: "azure-devops"}
	for name, change := range map[string]func(*playground.Exchange, *Place){
		"a foreign server": func(_ *playground.Exchange, at *Place) { *at = Place{} },
		"a masked argument": func(x *playground.Exchange, _ *Place) {
			x.Call.Params = []byte(`{"name":"a","arguments":{"key":"********"}}`)
		},
		"an experiment": func(x *playground.Exchange, _ *Place) {
			d := playground.Decision{Action: playground.ActionAnswer, Round: 2, Changed: true}
			x.Log[3] = d.Event(x.Log[3].At)
		},
		"a refusal": func(x *playground.Exchange, _ *Place) {
			x.Log[3] = playground.Decision{Action: playground.ActionRefuse, Round: 2}.Event(x.Log[3].At)
		},
	} {
		x, at := called(), at
		change(&x, &at)
		s := reread(t, FromExchange(x, at))
		if !s.IsRecorded() || s.Recorded[0] != "x1" || s.HasBefore() || s.Steps[0].Round != 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// Words of a server hold no placeholder and no markup that a text could have.
func TestFromExchange_WordsOfAServerAreText(t *testing.T) {
	x := called()
	x.Log = lane{}.round("a/v1", asks("{result}\u202e\\n\\\"# x"+strings.Repeat("k", 700)))
	s := reread(t, FromExchange(x, Place{}))
	if strings.Contains(s.Steps[0].Title+s.Steps[0].Text, "{result}") {
		t.Errorf("%+v", s.Steps[0])
	}
}

// What is proposed of a flow names its result, and the instance that each request goes to.
func TestDraft_Sentences(t *testing.T) {
	f, problems := review.Parse([]byte("flow: 1\nname: deploy\nresult: '{{args.service}} was deployed.'\n" +
		"arguments: {service: {example: checkout}}\n" +
		"steps:\n  - {form: go, message: M, fields: {x: {example: e}}}\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d, err := FromFlow(f, "token")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, s := range d.Sentences() {
		told[s.Name()] = s.Text
	}
	for name, want := range map[string]string{
		"claim":    "deploy, asked step by step.",
		"button-2": "Send the answer",
		"text-1":   "Instance a answers with a question, and the request is over. No connection stays open.",
		"text-2":   "Instance b finishes: “checkout was deployed.”",
		"before-2": "Sticky routing takes the answer to instance a.",
	} {
		if told[name] != want {
			t.Errorf("%s: %q, want %q", name, told[name], want)
		}
	}
	all := func(name string) (string, bool) { s, ok := told[name]; return s, ok }
	if diff := cmp.Diff(d.Story.YAML(), d.Edited(all)); diff != "" {
		t.Errorf("nothing was changed: %s", diff)
	}
	for _, c := range []struct{ name, typed, want string }{
		{"text-2", "Instance b says\r\n“checkout was deployed.” Not instance a.",
			`text: "Instance {asked} says “{result}” Not instance {other}."`},
		{"text-2", "Instance backup is gone.", "text: Instance backup is gone."},
		{"note-1", "one\r\ntwo ", `note: "one\ntwo"`},
		{"claim", "Deploy {now}.", `claim: "Deploy {now}."`},
	} {
		got := d.Edited(func(name string) (string, bool) { return c.typed, name == c.name })
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
	}
	source, _ := Source("azure-devops")
	if of := (Draft{Story: Stories()[0], Source: source}); of.Edited(all) == source ||
		of.Edited(func(string) (string, bool) { return "", false }) != source {
		t.Error("a story that is not edited is copied as it was written, and only that")
	}
}

func TestFromFlow_EveryStartingPoint(t *testing.T) {
	for _, e := range flow.Examples() {
		f, problems := review.Parse([]byte(e.Source))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		d, err := FromFlow(f, "token")
		if err != nil {
			t.Fatal(err)
		}
		s := d.Story
		again := reread(t, s)
		if diff := cmp.Diff(unlined(s), again); diff != "" {
			t.Errorf("%s: %s", e.Slug, diff)
		}
		for _, step := range again.Steps {
			_, content := again.Answers[step.Asks]
			if step.Asks != "" && !content && again.Responses[step.Asks] == nil {
				t.Errorf("%s: no answer to %s", e.Slug, step.Asks)
			}
		}
	}
}

// A flow that asks in one round of forms needs no requestState, so there is none to show.
func TestFromFlow_ShowsTheStateOnlyIfARequestCarriesOne(t *testing.T) {
	const ask = "  - {form: %s, message: M, fields: {x: {required: true, example: e}}}\n"
	for name, c := range map[string]struct {
		steps string
		want  bool
	}{
		"one round":  {strings.ReplaceAll(ask, "%s", "a"), false},
		"two rounds": {strings.ReplaceAll(ask, "%s", "a") + strings.ReplaceAll(ask, "%s", "b"), true},
		"a shed":     {"  - {shed: s}\n", true},
		"a page":     {"  - {url: u, message: M}\n", true},
		"a task after one round": {strings.ReplaceAll(ask, "%s", "a") + "task:\n  steps:\n  " +
			strings.ReplaceAll(ask, "%s", "b"), false},
	} {
		f, problems := review.Parse([]byte("flow: 1\nname: n\nresult: done\nsteps:\n" + c.steps))
		if len(problems) > 0 {
			t.Fatal(name, problems)
		}
		d, err := FromFlow(f, "token")
		if err != nil {
			t.Fatal(err)
		}
		s := d.Story
		got := slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Show == State })
		if got != c.want {
			t.Errorf("%s: the state is shown: %t", name, got)
		}
	}
}

// What a waiting call has not sent yet is not said to be sent.
func TestFromExchange_OfAWaitingCall(t *testing.T) {
	x := called()
	x.Log = lane{}.round("a/v1", asks("resolution"))
	s := FromExchange(x, Place{Sample: "azure-devops"})
	last := s.Steps[len(s.Steps)-1]
	if last.Show != State || !strings.HasPrefix(last.Text, "The client keeps this state and sends it back") {
		t.Errorf("%+v", last)
	}
}

// What is inserted, moved and removed is still a story, and before MRTR the answer gets
// lost once its instance has lost its memory.
func TestEdit_KeepsBothLanes(t *testing.T) {
	s := FromExchange(called(), Place{Sample: "azure-devops", Versions: []string{"v1", "v2"}, Legacy: true})
	s, ok := s.Insert(1, cluster.Kill)
	if !ok || s.Steps[1].Act.Do != cluster.Kill || s.Steps[1].Asks != "resolution" {
		t.Fatalf("%+v", s.Steps)
	}
	again := reread(t, s)
	if again.Before.Captions[1] != goesDown || again.Before.Captions[2] != getsLost ||
		again.Before.Verdict != lostVerdict || !again.losesAnswer() {
		t.Errorf("%+v", again.Before)
	}
	if diff := cmp.Diff(unlined(s), again); diff != "" {
		t.Error(diff)
	}
	s.Steps[1].Before = "my own words"
	if s, ok = s.Insert(1, cluster.Upgrade); !ok || reread(t, s).Steps[2].Before != "my own words" {
		t.Errorf("%v %+v", ok, s.Steps)
	}
	if s, ok = s.Raise(3); !ok || s.Steps[1].Act.Do != cluster.Kill {
		t.Errorf("%v %+v", ok, s.Steps)
	}
	for range 2 {
		s, ok = s.Remove(2)
	}
	if again := reread(t, s); !ok || again.Before.Verdict != staysVerdict || again.losesAnswer() {
		t.Errorf("%+v", again.Before)
	}
	if s = s.WithoutBefore(); reread(t, s).HasBefore() || strings.Contains(s.YAML(), "before") {
		t.Errorf("%s", s.YAML())
	}
	for n, o := range map[int]cluster.Operation{0: cluster.Kill, 99: cluster.Kill, 1: "explode"} {
		if _, ok := s.Insert(n, o); ok {
			t.Errorf("inserted %s after step %d", o, n)
		}
	}
}
