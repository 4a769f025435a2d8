package search

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
	"github.com/mrtr-playground/mrtr-playground/playground/search"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools"
	exerciseview "github.com/mrtr-playground/mrtr-playground/views/exercise"
	fieldview "github.com/mrtr-playground/mrtr-playground/views/field"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	historyview "github.com/mrtr-playground/mrtr-playground/views/history"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	learnview "github.com/mrtr-playground/mrtr-playground/views/learn"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// Limits of the lists of a workspace in the search and the palette.
const (
	indexedServers = 30  // the newest ones
	indexedTools   = 500 // of one server
	indexedCalls   = 50  // the newest ones
	indexedText    = 300 // characters of a text that comes from a server
	paletteText    = 90  // bytes of an entry's text that the palette shows
)

// Palette serves the entries of the command palette as JSON: what the search
// finds, without the full texts. The script asks for them once for each page.
func (s *Pages) Palette(r *web.Request) error {
	entries, err := s.index(r)
	if err != nil {
		return err
	}
	list := make([]historyview.PaletteEntry, 0, len(entries))
	for _, e := range entries {
		if e.Kind != learnview.SpecificationKind || !e.IsSection() { // hundreds, in the words of their rules
			list = append(list, historyview.NewPaletteEntry(e, paletteText))
		}
	}
	r.Writer.Header().Set("Cache-Control", "no-store")
	return r.JSON(http.StatusOK, list)
}

// index returns everything that the search and the palette find, in the order
// of the palette: the entries of the workspace first, then those that are the
// same for all.
func (s *Pages) index(r *web.Request) ([]search.Entry, error) {
	ctx, workspace := r.Context(), r.Visit.Workspace()
	calls, err := s.callEntries(r, workspace)
	if err != nil {
		return nil, err
	}
	servers, err := s.serverEntries(r, workspace)
	if err != nil {
		return nil, err
	}
	stories, err := s.storyEntries(ctx, workspace)
	if err != nil {
		return nil, err
	}
	saved, err := s.savedEntries(r)
	if err != nil {
		return nil, err
	}
	return slices.Concat(
		pageEntries(), servers, s.sampleEntries(ctx), flowEntries(), demoEntries(), stories, saved, calls,
		s.App.Lessons().Entries(), web.RuleEntries(s.App.Lessons()),
		learnview.SpecificationEntries(spec.Pages()),
	), nil
}

// pageEntries returns the pages that do not depend on anything.
func pageEntries() []search.Entry {
	page := func(title, path, about string) search.Entry {
		return search.Entry{Kind: "Page", Title: title, Path: path, Text: about}
	}
	return []search.Entry{
		page("Home", "/", "The landing page."),
		page(layout.LearnTitle, layout.LearnPath, "All lessons."),
		page(layout.ShowTitle, layout.ShowPath, "Demos: stories to show to an audience."),
		page(layout.BuildTitle, layout.BuildPath, "Flows. Describe a tool that asks, and run it: "+
			"approval, refund, delete, second factor, wizard, upgrade, load shedding, task, sampling."),
		page(layout.TestTitle, layout.TestPath, "Connect to a server and check it, or choose a sample."),
		page("Test a client", layout.TestPath+"#client", "An address that records what a client does."),
		page("Test a gateway", layout.TestPath+"#gateway",
			"What a gateway or proxy changes: both ends recorded."),
		page(fieldview.Title, paths.Field, "Facts about real software: servers of SDKs, clients, gateways "+
			"and proxies, by requirement."),
		page(layout.HistoryTitle, layout.HistoryPath, "Your calls. Import a recording."),
		page("Saved calls", paths.SavedCalls, "Calls that you saved, to make again."),
		page("Links", paths.Links, "The links that you made."),
		page("Glossary", "/glossary", "Every term in one or two sentences."),
		page("Quiz", "/quiz", "Find what is wrong in a recording."),
		page("Spot the fault", lesson.SpotPath,
			"Ten recorded exchanges: what did the server do wrong, if anything? "+
				"An exercise for testers."),
		page("Your turn", lesson.ExercisePath,
			"An exercise: write a server with the tool book_table and see each requirement turn green."),
		page(exerciseview.ClientExerciseTitle, lesson.ClientExercisePath,
			"An exercise: write a client and see each requirement turn green."),
		page("requestState workbench", paths.State, "Take a token apart, change, verify and send it. "+
			"JWT, signed and sealed states, throwaway keys."),
		page("What the specification demands", paths.Specification, "Every requirement, and its check."),
		page("Search", "/search", "Search this site."),
		page("Settings", "/settings", "Theme, keys, roots, and tokens for agents."),
	}
}

// flowEntries returns the starting points of flows.
func flowEntries() []search.Entry {
	var list []search.Entry
	for _, x := range flow.Examples() {
		list = append(list, search.Entry{
			Kind: "Flow example", Title: x.Title, Path: layout.BuildPath + "#" + flowview.ExampleID(x),
			Text: x.Summary,
		})
	}
	return list
}

func demoEntries() []search.Entry {
	var list []search.Entry
	for _, d := range demo.Stories() {
		list = append(list, search.Entry{
			Kind: "Demo", Title: d.Title, Path: "/demos/" + d.Slug, Text: d.Claim,
		})
	}
	return list
}

// storyEntries returns the demos that the workspace has written.
func (s *Pages) storyEntries(ctx context.Context, workspace string) ([]search.Entry, error) {
	stories, err := s.Store.Stories(ctx, workspace)
	if err != nil {
		return nil, err
	}
	list := make([]search.Entry, len(stories))
	for i, d := range stories {
		list[i] = search.Entry{Kind: "Demo", Title: d.Title, Path: "/demos/" + d.ID, Text: "Your demo."}
	}
	return list, nil
}

// sampleEntries returns the samples and their tools.
func (s *Pages) sampleEntries(ctx context.Context) []search.Entry {
	var samples, tools []search.Entry
	for _, x := range slices.Concat(s.App.Samples.List, s.lessonFlows()) {
		samples = append(samples, search.Entry{
			Kind: "Sample", Title: x.Title, Path: "/servers/" + x.Slug, Text: x.Summary,
		})
		conn := s.App.Samples.Connection(ctx, x, s.App.Samples.Target(x, ""))
		tools = append(tools, toolEntries(x.Slug, x.Title, conn)...)
	}
	return append(tools, samples...)
}

// lessonFlows returns the flows that lessons call, which are samples as well.
func (s *Pages) lessonFlows() []sampletools.Sample {
	var list []sampletools.Sample
	for _, l := range s.App.Lessons().Lessons {
		isIt := func(x sampletools.Sample) bool { return x.Slug == l.Live.Sample }
		if slices.ContainsFunc(s.App.Samples.List, isIt) || slices.ContainsFunc(list, isIt) {
			continue
		}
		if x, ok := s.App.Samples.Lookup(l.Live.Sample); ok {
			list = append(list, x)
		}
	}
	return list
}

// serverEntries returns the newest servers of the workspace and their tools.
func (s *Pages) serverEntries(r *web.Request, workspace string) ([]search.Entry, error) {
	v := r.Visit
	ctx := v.Context()
	rows, err := s.Store.Targets(ctx, workspace)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	if err := s.App.WaitTurn(v); err != nil { // the lists of a server may be large
		return nil, err
	}
	var servers, tools []search.Entry
	for _, row := range rows[:min(len(rows), indexedServers)] {
		name := text.Visible(cmp.Or(row.ReportedName, row.Name), 80)
		servers = append(servers, search.Entry{
			Kind: "Server", Title: name, Path: "/servers/" + row.ID, Text: text.Visible(row.URL, indexedText),
		})
		if row.Status != server.Connected {
			continue
		}
		k, err := s.App.Find(v, row.ID)
		if err != nil { // it was forgotten in between
			continue
		}
		tools = append(tools, toolEntries(row.ID, name, k.Connection)...)
	}
	return append(tools, servers...), nil
}

// toolEntries returns the tools of a server that can be called.
func toolEntries(id, name string, c server.Connection) []search.Entry {
	var list []search.Entry
	for _, t := range c.Tools[:min(len(c.Tools), indexedTools)] {
		if t.Excluded != "" {
			continue
		}
		list = append(list, search.Entry{
			Kind: "Tool", Title: text.Visible(t.Name, 80),
			Path: "/servers/" + id + "?" + url.Values{"tool": {t.Name}}.Encode(),
			Text: name + ": " + text.Prose(t.Description, indexedText),
		})
	}
	return list
}

// savedEntries returns the saved calls of the workspace. Each leads to its form,
// filled in.
func (s *Pages) savedEntries(r *web.Request) ([]search.Entry, error) {
	lines, err := s.Servers.SavedLines(r)
	if err != nil {
		return nil, err
	}
	list := make([]search.Entry, len(lines))
	for i, line := range lines {
		list[i] = line.Entry()
	}
	return list, nil
}

// callEntries returns the newest calls, checks and demos of the workspace.
func (s *Pages) callEntries(r *web.Request, workspace string) ([]search.Entry, error) {
	page, err := s.Store.Sessions(r.Context(), workspace, session.Search{Limit: indexedCalls})
	if err != nil {
		return nil, err
	}
	h := historyview.History{Now: s.App.Now(), Zone: web.ZoneOf(r.Request)}
	list := make([]search.Entry, len(page.Rows))
	for i, row := range historyview.NewSessionRows(page.Rows) {
		list[i] = row.Entry(h.Moment(row))
	}
	return list, nil
}
