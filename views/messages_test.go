package views_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/mrtr-playground/mrtr-playground/playground"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/htmltest"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// TestMessages_ManyAreCut: of a very long call the newest messages are listed.
func TestMessages_ManyAreCut(t *testing.T) {
	b := newFixtures(t)
	x := report()
	for i := range 119 {
		working(x, fmt.Sprint("step ", i))
	}
	last := x.x.Fold().Last().N
	panel := b.wirePanel(x.x, selection.Selection{Round: last, All: true})
	page := htmltest.Parse(b.html(wireview.PanelView(panel)))
	if rows := page.Find("#wire-all tbody tr"); len(rows) != 200 ||
		!page.Has(`"40 earlier messages not listed."`) {
		t.Errorf("%d rows of %d messages", len(rows), panel.All.Total)
	}
}

// TestFind_LeadsToTheMark: the address of each hit shows the message with the hit
// marked, also in a head, in a further request of a Round and in bytes that are
// shown with escapes. The bytes stay what they are.
func TestFind_LeadsToTheMark(t *testing.T) {
	b := newFixtures(t)
	odd := call("t", `{}`).receive(200, "application/json", "{\"a\":\"needle \xff <b>needle</b>\x00\"}").x
	polled := working(report(), "collecting needles", "drawing").x
	for name, x := range map[string]playground.Exchange{
		"odd": odd, "polled": polled, "azure": b.recorded("azure-devops"),
	} {
		find := map[string]string{"odd": "needle", "polled": "needle", "azure": "mcp-method"}[name]
		panel := b.wirePanel(x, selection.Selection{Round: x.Fold().Last().N, Find: find})
		if len(panel.All.Hits) == 0 {
			t.Errorf("%s: nothing is found", name)
		}
		for _, h := range panel.All.Hits {
			path, hash, _ := strings.Cut(h.Path, "#")
			s, ok := selection.Read(queryOf(t, path))
			shown := b.html(wireview.PanelView(b.wirePanel(x, s)))
			mark := htmltest.Parse(shown).Find("mark[id=" + hash + "]")
			if !ok || len(mark) != 1 || !strings.EqualFold(htmltest.Text(mark[0]), find) {
				t.Errorf("%s: %s is not marked at %s", name, h.Words, h.Path)
			}
			s.Find = ""
			plain := b.html(wireview.PanelView(b.wirePanel(x, s)))
			bytes := func(page string) (list []string) {
				for _, pre := range htmltest.Parse(page).Find("pre[data-bytes]") {
					list = append(list, exactText(pre))
				}
				return list
			}
			if fmt.Sprint(bytes(shown)) != fmt.Sprint(bytes(plain)) {
				t.Errorf("%s: the marks change the bytes", name)
			}
		}
	}
}

// TestFind_BeyondThePage: a message too far behind to be shown is found all the
// same, and leads to its message.
func TestFind_BeyondThePage(t *testing.T) {
	b := newFixtures(t)
	x := call("t", `{}`).result(`{"text":"` + strings.Repeat("x", 600<<10) + `needle"}`).x
	hits := b.wirePanel(x, selection.Selection{Round: 1, Find: "needle"}).All.Hits
	if len(hits) != 1 || !strings.HasSuffix(hits[0].Path, "#m-1-response") ||
		!strings.HasSuffix(hits[0].Words, "beyond what the page shows") {
		t.Errorf("%+v", hits)
	}
}

// TestEnded_KeepsTheResultInView: an earlier Round of a call that has ended says how,
// and only that.
func TestEnded_KeepsTheResultInView(t *testing.T) {
	b := newFixtures(t)
	azure := b.recorded("azure-devops")
	const resolved = "✓ complete Bug #4522 resolved as Duplicate of Bug #4301. State set to Resolved and " +
		"duplicate link created. Round 3"
	asked := deletion("s-1", confirm).answer("confirm", accepted(`{"ok":true}`))
	for name, test := range map[string]struct {
		x     playground.Exchange
		round int
		want  string
	}{
		"result": {azure, 1, resolved},
		"second": {azure, 2, resolved},
		"error": {asked.rpcError(-32602, "That was\u202e wrong").x, 1,
			"✕ failed That was⟨U+202E⟩ wrong Round 2"},
		"newest":  {azure, 3, ""},
		"waiting": {upTo(azure, 2), 1, ""},
	} {
		page := b.html(exchangeview.Main(b.model(test.x,
			func(in *exchangeview.Input) { in.Selection.Round = test.round })))
		var got string
		if line := htmltest.Parse(page).Find("[data-ended]"); len(line) > 0 {
			got = strings.Join(strings.Fields(htmltest.Text(line[0])), " ")
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if test.want != "" && htmltest.Parse(page).Has(`.button "Go to the newest round"`) {
			t.Errorf("%s: two links lead to the end", name)
		}
	}
}

func queryOf(t *testing.T, path string) url.Values {
	t.Helper()
	u, err := url.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

// exactText returns the text of an element with its white space.
func exactText(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var text strings.Builder
	for c := range n.ChildNodes() {
		text.WriteString(exactText(c))
	}
	return text.String()
}
