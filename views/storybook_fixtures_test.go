package views_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/cluster"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/question"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	labview "github.com/mrtr-playground/mrtr-playground/views/lab"
)

const base = "http://127.0.0.1:2322"

// fixtures are the parts that stories are made of.
type fixtures struct {
	t       *testing.T
	assets  *static.Assets
	keys    *seal.Keys
	catalog *sampletools.Catalog
	lessons *lesson.Book
}

func newFixtures(t *testing.T) *fixtures {
	t.Helper()
	b := &fixtures{t: t}
	var err error
	b.assets, err = static.New()
	b.check(err)
	b.keys, err = seal.Load(func(string) string { return "" }, filepath.Join(goldens, "recordings"))
	b.check(err)
	b.catalog, err = sampletools.New(sampletools.Config{Keys: b.keys, Now: func() time.Time { return noon },
		BaseURL: base})
	b.check(err)
	t.Cleanup(b.catalog.Close)
	b.lessons, err = lesson.New()
	b.check(err)
	return b
}

func (b *fixtures) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// recording returns the session of a file that was recorded from a sample.
func (b *fixtures) recording(name string) session.Session {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(goldens, "recordings", name+".json"))
	b.check(err)
	s, err := export.Import(data, 2<<20)
	b.check(err)
	for i := range s.Exchanges {
		x := &s.Exchanges[i]
		if sample, ok := b.catalog.Lookup(x.Target.Sample); ok && sample.Era == sampletools.Legacy {
			x.Target.Era = playground.Legacy
		}
	}
	return s
}

// recorded returns the last exchange of a recording; the others are those that
// it branches from.
func (b *fixtures) recorded(name string) playground.Exchange {
	b.t.Helper()
	list := b.recording(name).Exchanges
	return list[len(list)-1]
}

func (b *fixtures) sample(slug string) sampletools.Sample {
	b.t.Helper()
	x, ok := b.catalog.Lookup(slug)
	if !ok {
		b.t.Fatalf("no sample %q", slug)
	}
	return x
}

// explain opens states as their sample did right after x was recorded.
func (b *fixtures) explain(x playground.Exchange) func(string) seal.Explanation {
	at := x.Created
	if n := len(x.Log); n > 0 {
		at = x.Log[n-1].At
	}
	return func(state string) seal.Explanation { return seal.Explain(state, b.keys, at) }
}

// edit changes the input of an exchange page.
type edit func(*exchangeview.Input)

// input returns the parts that package web makes an exchange page from.
func (b *fixtures) input(x playground.Exchange, edits ...edit) exchangeview.Input {
	f := x.Fold()
	in := exchangeview.Input{Exchange: x, Transcript: f, Lab: &labview.Input{Mine: true}}
	if sample, ok := b.catalog.Lookup(x.Target.Sample); ok {
		in.Instances, in.Explain = cluster.InstancesOf(x.Target.URL, sample.Instances), b.explain(x)
		in.Lab.OnceOnly = sample.OnceOnly
		if last := f.Last(); last != nil && len(sample.Start.Answers) > 0 {
			var answers map[string]json.RawMessage
			b.check(json.Unmarshal(sample.Start.Answers, &answers))
			in.Draft = question.NewDraft(*last).Suggest(answers)
		}
	}
	if last := f.Last(); last != nil && last.Kind == playground.OutcomeRetry {
		b.next(&in, playground.Decision{Action: playground.ActionRetry})
	}
	for _, e := range edits {
		e(&in)
	}
	return in
}

// next puts the request that a decision leads to on the page.
func (b *fixtures) next(in *exchangeview.Input, d playground.Decision) {
	d.Round = in.Transcript.Last().N + 1
	me := playground.Client{Name: "mrtr-playground", Version: "storybook"}
	if req, err := playground.Next(in.Exchange, in.Transcript, d, me); err == nil {
		in.Next = &req
	}
}

func (b *fixtures) exchange(x playground.Exchange, edits ...edit) func(layout.Page) templ.Component {
	b.t.Helper()
	model, ok := exchangeview.New(b.input(x, edits...))
	if !ok {
		b.t.Fatal("there is no such round")
	}
	return func(p layout.Page) templ.Component {
		p.Refresh = model.Status == playground.StatusRunning
		return exchangeview.Page(p, model)
	}
}

// panel is the story of a panel of an exchange's page.
func (b *fixtures) panel(
	group, name string, panel selection.Panel, x playground.Exchange, edits ...edit,
) story {
	b.t.Helper()
	if group != string(panel) {
		name += "-" + string(panel)
	}
	s := story{group: group, name: name, page: b.exchange(x, append(edits, open(panel))...)}
	if group == string(panel) {
		return s
	}
	return s.of(".panel > *", "")
}

// open opens a panel.
func open(panel selection.Panel) edit {
	return func(in *exchangeview.Input) { in.Selection.Panel = panel }
}

// round shows Round n.
func round(n int) edit { return func(in *exchangeview.Input) { in.Selection.Round = n } }

// target returns the target of a sample.
func (b *fixtures) target(slug string) playground.Target {
	x := b.sample(slug)
	t := playground.Target{
		ID: slug, Sample: slug, Name: x.Title + " (sample)", URL: base + "/mcp/" + slug,
		Capabilities: everything,
	}
	if x.Era == sampletools.Legacy {
		t.Era = playground.Legacy
	}
	return t
}

// before returns the exchanges of a session but the last.
func before(s session.Session) []playground.Exchange {
	return slices.Clone(s.Exchanges[:len(s.Exchanges)-1])
}
