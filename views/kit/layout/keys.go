package layout

import (
	"context"
	"strings"
	"sync"
)

// keyRow is a line of the list of keys. The keys work where an element matches
// the selector When; empty means everywhere.
type keyRow struct {
	Keys  []string
	Words string
	When  string
}

// keyRows returns the keys of all pages. The keys themselves are in keys.js,
// workbench.js and the data-key attributes.
func keyRows() []keyRow {
	var pages []string
	toPage := []string{"g", "then"}
	for _, l := range navLinks() {
		pages = append(pages, l.Words)
		toPage = append(toPage, l.Key)
	}
	row := func(words, when string, keys ...string) keyRow { return keyRow{keys, words, when} }
	return []keyRow{
		row("find a page, tool, or call", "", "Ctrl", "K"),
		row("previous or next step", "[data-go]", "←", "→"),
		row("previous or next round", ".ribbon a[rel]", "←", "→"),
		row("previous or next round", ".ribbon a[rel]", "[", "]"),
		row("next or previous round", ".ribbon a[rel]", "j", "k"),
		row("next or previous step (presentation clickers)", "main[data-present]", "Space", "PgDn", "PgUp"),
		row("first or newest step", "main[data-present]", "Home", "End"),
		row("full screen", "main[data-present]", "f"),
		row("leave full screen, then the presentation", "main[data-present]", "Esc"),
		row("Picture", ".tabs [data-key='0']", "0"),
		row("Wire", ".tabs [data-key='1']", "1"),
		row("State", ".tabs [data-key='2']", "2"),
		row("Rules", ".tabs [data-key='3']", "3"),
		row("Timing", ".tabs [data-key='4']", "4"),
		row("Check", ".tabs [data-key='5']", "5", "l"),
		row("along the arrows, while one in the picture has the focus", ".stage .pic a[data-m]", "↑", "↓"),
		row("from a message back to its arrow", ".sides [data-m]", "Esc"),
		row("send the answers or the retry", "[data-do='send'][data-key='r']", "r"),
		row("send the request again", "[data-do='resend'][data-key='r']", "r"),
		row("start the demo over", "[data-step] [data-key='r']", "r"),
		row("edit the request of this round, then send it", "#drawer[data-edit]", "e"),
		row("send the form, also while you type", "form[data-form='answers']", "Ctrl", "Enter"),
		row("save the flow and run it, also while you type", "main[data-flow-page]", "Ctrl", "Enter"),
		row("filter the list", "[data-key='/']", "/"),
		row("open the presenter notes in a second window", ".presenter [data-key='n']", "n"),
		row("start or stop presenting", "[data-key='p']", "p"),
		row("let the room follow on phones", "[data-key='q']", "q"),
		row("show the same story before MRTR", "[data-key='b']", "b"),
		row("go to "+strings.Join(pages, ", "), ".nav", toPage...),
		row("show this list", "", "?"),
	}
}

// keysHTML returns the list of keys as HTML, which is the same on all pages.
var keysHTML = sync.OnceValue(func() string {
	var b strings.Builder
	if err := keysHelp().Render(context.Background(), &b); err != nil {
		panic("views: render the list of keys: " + err.Error())
	}
	return b.String()
})
