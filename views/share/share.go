// Package share shows the public text before it is published, the links that
// were made, and the head of a page that a reader of one sees.
package share

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	boardview "github.com/mrtr-playground/mrtr-playground/views/board"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
)

// mostFindings is the most findings that are listed; a server could cause many.
const mostFindings = 100

// maxUnfolded is the most findings that are listed unfolded.
const maxUnfolded = 5

// Form is the page that creates a link: the public text, and the parts that can
// be redacted.
type Form struct {
	ID, Title, Note string
	Kind            share.Kind
	Exchanges       []Choice // that can be shared, of KindExchange; the chosen ones of a compare
	Baseline        []Choice // of KindExchange: right calls that its experiments are compared with
	Fixed           string   // what a board, compare or demo consists of; empty for KindExchange
	Rounds          []Choice // that the link can open with; empty if there is no choice
	Panels          []Choice
	Options         share.Options
	Expiry          string // the chosen ExpiryChoice
	Imported        bool
	Seen            string // digest of the snapshot on the page
	Changed         bool   // the page from which the user created the link was out of date
	Problem         string
	Findings        []share.Finding
	Texts           PublicTexts
	Size            string
	Preview         string // address of the reader's page
	File            string // path of the exchange as a file, without suffix; empty for several exchanges
	Choices         string // query of that address
	Expiries        []ExpiryChoice
	Links           []layout.ShareLine // that show something of the same session
	OwnMachine      bool               // a link works on this machine only
}

// Choice is a choice on the share page.
type Choice struct {
	Value, Words string
	Chosen       bool
}

// notePlaceholder returns an example of a note.
func (f Form) notePlaceholder() string {
	if f.Kind == share.KindFlow {
		return "Try it with an amount above 100"
	}
	return "Look at round 2"
}

// pageFirst reports whether a page as a file is the first choice: others cannot open a
// link.
func (f Form) pageFirst() bool { return f.OwnMachine && f.Kind != share.KindFlow }

// What names the shared thing.
func (f Form) What() string {
	switch f.Kind {
	case share.KindBoard:
		return "this results board"
	case share.KindCompare:
		return "this comparison"
	case share.KindDemo:
		return "this demo"
	case share.KindFlow:
		return "this flow"
	}
	return "what is on screen"
}

// PanelChoices returns the panels that a link can open with. panel is the chosen
// one.
func PanelChoices(panel selection.Panel) []Choice {
	var list []Choice
	for _, t := range (selection.Tabs{Address: func(selection.Selection) string { return "" }}).List(false) {
		list = append(list, Choice{string(t.Panel), t.Words,
			t.Panel == panel || panel == "" && t.Panel == selection.PanelWire})
	}
	return list
}

// RoundChoices returns the Rounds of an exchange, or the steps of a demo.
func RoundChoices(word string, n, chosen int) []Choice {
	var list []Choice
	for i := 1; i <= n; i++ {
		list = append(list, Choice{fmt.Sprint(i), fmt.Sprintf("%s %d", word, i), i == max(chosen, 1)})
	}
	return list
}

// ExchangeChoices returns the calls of a tree with their outcomes, and apart from
// them those of the baseline.
func ExchangeChoices(t boardview.Tree, picked []string) (list, baseline []Choice) {
	choice := func(l boardview.Leaf, words string) Choice {
		if l.Round > 0 {
			words += fmt.Sprintf(", from round %d", l.Round)
		}
		id := strings.TrimPrefix(l.Path, "/x/")
		return Choice{id, words + " · " + l.Standing.Word, slices.Contains(picked, id)}
	}
	list = append(list, choice(t.Original, t.Original.Words))
	for _, l := range t.Branches {
		for i, call := range l.Calls {
			list = append(list, choice(call, fmt.Sprintf("%s, %d of %d", l.Words, i+1, len(l.Calls))))
		}
		if l.Calls == nil {
			list = append(list, choice(l, l.Words))
		}
	}
	for _, l := range t.Baseline {
		baseline = append(baseline, choice(l, l.Words))
	}
	return list, baseline
}

// ExpiryChoice is a choice of how long a link works.
type ExpiryChoice struct{ Value, Words string }

// PublicTexts are all texts that become public, with the findings marked in
// place. Rest has those beyond what a page shows at once.
type PublicTexts struct {
	Shown, Rest []PublicText
	RestSize    string
}

// PublicText is one text of the snapshot.
type PublicText struct {
	Label string
	Runs  []PublicRun
}

// PublicRun is a part of a public text. Class is that of a part that is marked.
type PublicRun struct{ Text, Class string }

// maxPublic is the most bytes of texts that are shown unfolded.
const maxPublic = 128 << 10

// NewPublicTexts returns every byte that will be public, with the findings
// marked in place.
func NewPublicTexts(parts []share.Part) PublicTexts {
	var t PublicTexts
	size, rest := 0, 0
	several := len(parts) > 0 && parts[len(parts)-1].Exchange > 1
	for _, p := range parts {
		label := p.Label
		if several && p.Exchange > 0 {
			label = fmt.Sprintf("Exchange %d · %s", p.Exchange, label)
		}
		one := PublicText{text.Visible(label, 140), publicRuns(p)}
		for _, run := range p.Runs {
			size += len(run.Text)
			if size > maxPublic {
				rest += len(run.Text)
			}
		}
		if size > maxPublic {
			t.Rest = append(t.Rest, one)
		} else {
			t.Shown = append(t.Shown, one)
		}
	}
	t.RestSize = text.Size(rest)
	return t
}

// publicRuns returns the parts of a text as they follow the start tag of a pre
// element.
func publicRuns(p share.Part) []PublicRun {
	var list []PublicRun
	for i, run := range p.Runs {
		one := PublicRun{Text: text.Lines(string(run.Text), text.NoLimit)}
		switch {
		case run.Masked:
			one.Class = "masked"
		case run.Marked:
			one.Class = "kept"
		case i == 0:
			one.Text = prose.InPre(one.Text)
		}
		list = append(list, one)
	}
	return list
}

func placesWords(n int) string {
	if n == 1 {
		return "in one place"
	}
	return fmt.Sprintf("in %d places", n)
}

func findingsWords(list []share.Finding) string {
	kept := 0
	for _, f := range list {
		if f.Shown {
			kept++
		}
	}
	switch {
	case len(list) == 0:
		return "No likely secrets found. Check the preview anyway: only you know what must stay private."
	case kept == 0 && len(list) == 1:
		return "1 possible secret found. It is redacted."
	case kept == 0:
		return fmt.Sprintf("%d possible secrets found. All of them are redacted.", len(list))
	}
	return fmt.Sprintf("%s found. Anyone with the link can read %d of them.",
		text.Plural(len(list), "possible secret"), kept)
}

// NewLine returns the view of a share; base is the base URL.
func NewLine(h share.Share, base string) layout.ShareLine {
	return layout.ShareLine{
		Token: h.Token, Title: prose.TitleOr(h.Title), Session: h.Session, URL: base + "/s/" + h.Token,
		Created: h.Created, Expires: h.Expires, Views: h.Views,
	}
}
