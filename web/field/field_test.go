package field_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/field"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	fieldview "github.com/mrtr-playground/mrtr-playground/views/field"
	"github.com/mrtr-playground/mrtr-playground/web/site/sitetest"
)

func TestMain(m *testing.M) { sitetest.Main(m) }

// TestPage: the facts are found from the pages about servers and clients, and each that is judged
// leads to its bytes, on an installation that has recorded nothing.
func TestPage(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for path, to := range map[string]string{
		"/test": "/field", "/learn/client": "/field?kind=client",
		"/learn/reference/sdks": "/field?kind=client",
	} {
		s.Page(path).Has(t, `a[href="`+to+`"]`)
	}
	all := field.Measured().Rows(field.Filter{})
	page := s.Page("/field")
	for _, tally := range field.Tallies(all) {
		at := fmt.Sprintf(`.field-overview [data-requirement="%s"] `, tally.Fact.Key())
		path := func(k field.Kind) string {
			return fieldview.Path(field.Filter{Requirement: tally.Fact.Key(), Kind: k}, 1)
		}
		page.Has(t, at+`a[href="`+path("")+`"]`)
		for _, k := range field.Kinds() {
			if n := tally.Subjects[k].Failed; n > 0 {
				page.Has(t, at+fmt.Sprintf(`a[href="%s"] "✕ %d failed"`, path(k), n))
			}
		}
	}
	failed := field.Measured().Rows(field.Filter{Outcome: verdict.Failed})
	for _, r := range failed {
		at := fmt.Sprintf(`.field-facts [data-fact="%s"][data-subject="%s"][data-verdict="fail"] `,
			r.Fact.Check, r.Slug)
		page.Has(t, at+`a[href="`+r.Path(*r.Fact)+`"]`, at+`.outcome-fail .glyph "✕"`)
	}
	if n := len(page.HTML().Find(`[data-fact]`)); n != len(failed) || n == 0 {
		t.Errorf("%d facts, want the %d that failed", n, len(failed))
	}
	s.NoErrors()
}

// TestPage_Filters: one row is one fact, filtered by the query, page by page.
func TestPage_Filters(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, f := range []struct {
		query string
		field.Filter
	}{
		{"requirement=mrtr.echo", field.Filter{Requirement: "mrtr.echo"}},
		{"requirement=once", field.Filter{Requirement: "once"}},
		{"subject=go-sdk-client&outcome=fail", field.Filter{Subject: "go-sdk-client",
			Outcome: verdict.Failed}},
		{"subject=go-sdk-server", field.Filter{Subject: "go-sdk-server"}},
		{"kind=server&outcome=hint", field.Filter{Kind: field.Server, Outcome: verdict.Advisory}},
	} {
		rows := 0
		want := field.Measured().Rows(f.Filter)
		for n := 1; rows < len(want); n++ {
			page := s.Page(fmt.Sprintf("/field?%s&page=%d", f.query, n))
			found := len(page.HTML().Find(`[data-fact]`))
			if found == 0 {
				break
			}
			for _, r := range want[rows:min(rows+found, len(want))] {
				at := fmt.Sprintf(`[data-fact="%s"][data-subject="%s"][data-verdict="%s"]`,
					r.Fact.Check, r.Slug, r.Fact.Outcome)
				page.Has(t, at)
				if r.Fact.Exchange > 0 {
					page.Has(t, at+` a[href="`+r.Path(*r.Fact)+`"]`)
				} else {
					page.HasNot(t, at+` a[href^="/s/"]`)
				}
			}
			rows += found
		}
		if rows != len(want) || rows == 0 {
			t.Errorf("%s: %d rows, want %d", f.query, rows, len(want))
		}
	}
	s.Page("/field?requirement=mrtr.echo").Has(t, `#requirement option[value="mrtr.echo"][selected]`)
	for _, query := range []string{
		"subject=nothing", "kind=nothing", "outcome=nothing", "requirement=%22%3E&page=-1",
	} {
		s.Page("/field?"+query).Has(t, `#facts p "No fact fits these filters."`)
	}
	s.NoErrors()
}

// TestMoved: the address that the facts about clients had leads to them.
func TestMoved(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	got := s.Get("/clients/real")
	if to := got.Header.Get("Location"); got.Status != http.StatusFound || to != "/field?kind=client" {
		t.Errorf("%d %s", got.Status, to)
	}
}

// TestRecordings: the bytes of the first fact of each subject are shown, as a share.
func TestRecordings(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	for _, subject := range field.Subjects() {
		i := slices.IndexFunc(subject.Facts, func(f field.Fact) bool { return f.Exchange > 0 })
		if i < 0 {
			t.Errorf("%s has no recording", subject.Slug)
			continue
		}
		f := subject.Facts[i]
		s.Page(subject.Path(f)).Has(t, fmt.Sprintf(`[data-round="%d"]`, f.Round), `[data-frame="request"]`)
	}
	reader := s.Visitor(t)
	for _, suffix := range []string{"", ".json", ".md", ".svg", ".png", ".qr.svg"} {
		if got := reader.Page("/s/field-go-sdk-client" + suffix); got.Status != http.StatusOK {
			t.Errorf("%s: %d", suffix, got.Status)
		}
	}
	reader.Page("/embed/field-go-sdk-client").Has(t, "svg")
	if got := reader.Follow("/s/field-go-sdk-client/fork", nil); !strings.HasPrefix(reader.Last, "/x/") {
		t.Errorf("%d %s", got.Status, reader.Last)
	}
	s.NoErrors()
}

// TestDocument: the JSON has the same facts, with links.
func TestDocument(t *testing.T) {
	t.Parallel()
	s := sitetest.New(t, app.Local)
	var d field.Document
	got := s.Page("/field.json?requirement=mrtr.echo&kind=client")
	if err := json.Unmarshal([]byte(got.Body), &d); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, x := range d.Subjects {
		n += len(x.Facts)
		for _, f := range x.Facts {
			if f.Requirement != "mrtr.echo" || f.Text == "" || !strings.HasPrefix(f.Clause, "https://") ||
				f.Outcome.Wrong() && f.Recording == "" || !f.Outcome.Judged() && f.Recording != "" {
				t.Errorf("%s: %+v", x.Slug, f)
			}
		}
	}
	want := len(field.Measured().Rows(field.Filter{Requirement: "mrtr.echo", Kind: field.Client}))
	if n != want || n == 0 || d.Revision != "2026-07-28" || d.Corrections == nil {
		t.Errorf("%d facts, want %d: %+v", n, want, d)
	}
}
