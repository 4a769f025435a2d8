// Package onefile makes one HTML file of what a link shows: every round and panel of
// its calls, the board, the compare or the steps of the demo, and the recording, which
// package export reads again. It has the pages of package reader, made once for each
// state and put below each other; a script of its own shows one of them, which the
// fragment of the address names as the query of a link does. Without the script all of
// them can be read, and all are printed, but for the exchanges of a large board: beyond
// maxPlain they are packed, and the script unpacks each when it is opened.
//
// The file needs no network: its style and its script are in it, and its policy allows
// these two by their digests, images and sounds in the page, and nothing else. A text
// of a recording can become neither, because every element of the pages passes through
// writer.add, which knows the harmless ones.
//
// The caller gives a snapshot of package share. Nothing is masked here.
package onefile

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/static"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	"github.com/mrtr-playground/mrtr-playground/views/kit/layout"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
)

// Input has the parts that New needs.
type Input struct {
	View    share.View
	Session session.Session // a snapshot
	// Instances returns the topology of the sample that an exchange talks to, or "".
	Instances func(playground.Exchange) string
	Explain   func(string) seal.Explanation  // the view of the sample that made a state
	Opens     func(playground.Exchange) bool // whether Explain is right about the states of an exchange
	Most      int                            // bytes of the file
}

// New returns the file. It is ErrTooLarge if it would be larger than in.Most.
func New(ctx context.Context, in Input) ([]byte, error) {
	recording, err := export.JSON(in.Session)
	if err != nil {
		return nil, err
	}
	f := &file{in: in, ctx: ctx, writer: writer{used: usedByFrame(), most: in.Most}}
	f.reader = readerview.Input{View: in.View, Session: in.Session, File: true}
	start, err := f.views()
	if err != nil {
		return nil, err
	}
	css, script, icon := static.Page()
	css = f.writer.used.sheet(css)
	var page bytes.Buffer
	page.WriteString("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
	fmt.Fprintf(&page, `<meta http-equiv="%s" content="%s">`, policyHeader, policy(css, script))
	page.WriteString(`<meta name="viewport" content="width=device-width, initial-scale=1">` +
		`<meta name="referrer" content="no-referrer"><meta name="robots" content="noindex, nofollow">`)
	title := prose.TitleOr(in.Session.Title)
	fmt.Fprintf(&page, `<title>%s</title>`, html.EscapeString(layout.Page{Title: title}.FullTitle()))
	fmt.Fprintf(&page, `<link rel="icon" href="data:image/svg+xml;base64,%s">`,
		base64.StdEncoding.EncodeToString([]byte(icon)))
	fmt.Fprintf(&page, "<style>%s</style></head><body>", css)
	if err := header().Render(ctx, &page); err != nil {
		return nil, err
	}
	fmt.Fprintf(&page, `<main id="main" data-start="%s">`, html.EscapeString(start))
	page.Write(f.writer.Bytes())
	if f.packed.Len() > 0 {
		page.WriteString(`<noscript><p class="view note">The other calls are packed in this file. ` +
			`They open with the script of the page.</p></noscript>`)
	}
	page.WriteString("</main>")
	page.Write(f.packed.Bytes())
	page.Write(export.Embed(recording))
	fmt.Fprintf(&page, "<script>%s</script></body></html>\n", script)
	if page.Len() > in.Most {
		return nil, ErrTooLarge
	}
	return page.Bytes(), nil
}

const policyHeader = "Content-Security-Policy"

// policy returns the policy of a file with a style and a script.
func policy(css, script string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; "+
		"media-src data:; base-uri 'none'; form-action 'none'", digest(script), digest(css))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Policy returns the content security policy that a file of New has in it.
func Policy(page []byte) string {
	_, after, _ := bytes.Cut(page, []byte(`<meta http-equiv="`+policyHeader+`" content="`))
	value, _, _ := bytes.Cut(after, []byte(`"`))
	return string(value)
}

// usedByFrame returns the names that the frame of the file and its script use.
func usedByFrame() used {
	u := used{}
	for _, name := range strings.Fields(`html body header main a span svg path nav button .skip .top
		.top-in .brand .mark .mark-client .mark-server .mark-way .mark-state .nav .link-button .to-dark
		.to-light [data-theme [hidden [open [aria-current [tabindex .scripted .on .workbench .view .pic-near
		.visually-hidden`) {
		u[name] = true
	}
	return u
}

// file is a file that is being made.
type file struct {
	writer
	in       Input
	ctx      context.Context
	reader   readerview.Input
	rendered int          // bytes of the exchanges, packed or not
	packed   bytes.Buffer // elements with the exchanges that do not stand in the page
}

// maxPlain is the size of the views from which a further exchange is packed, in bytes. A
// board has tens of exchanges: as elements they would make the page slow to open, and
// their words are mostly the same.
const maxPlain = 640 << 10

// maxRendered is the most that is rendered, as a multiple of the size of the file.
const maxRendered = 6

// pack moves the exchange that was written from the index start on out of the page if
// the page would have too much. The first exchange stays.
func (f *file) pack(x, start int) error {
	f.rendered += f.Len() - start
	if f.rendered > maxRendered*f.in.Most {
		return ErrTooLarge
	}
	if x == f.reader.Exchanges()[0] || f.Len() <= maxPlain {
		return nil
	}
	var small bytes.Buffer
	z, err := flate.NewWriter(&small, flate.DefaultCompression)
	if err != nil {
		return err
	}
	_, _ = z.Write(f.Bytes()[start:]) // a buffer returns no error
	_ = z.Close()
	f.Truncate(start)
	fmt.Fprintf(&f.packed, `<script type="application/octet-stream" data-packed="%d">%s</script>`, x,
		base64.StdEncoding.EncodeToString(small.Bytes()))
	if f.packed.Len() > f.in.Most {
		return ErrTooLarge
	}
	return nil
}

// views writes all views, and returns the address of the one that the file opens with.
func (f *file) views() (start string, err error) {
	switch v := f.in.View; v.Kind {
	case share.KindBoard:
		board := readerview.SharedBoardMain(readerview.NewSharedBoard(f.reader))
		start, err = startAddress, f.render(view{address: startAddress, prefix: "b-"}, board)
	case share.KindCompare:
		compare := readerview.SharedCompareMain(readerview.NewSharedComparison(f.reader))
		start, err = startAddress, f.render(view{address: startAddress, prefix: "c-"}, compare)
	case share.KindDemo:
		start, err = f.demo()
	}
	for _, x := range f.reader.Exchanges() {
		if err == nil {
			err = f.exchange(x)
		}
	}
	if start == "" {
		start = f.first()
	}
	return start, err
}

// first returns the address of what a link to exchanges opens with.
func (f *file) first() string {
	v, x := f.in.View, f.reader.Exchanges()[0]
	s := selection.Selection{Panel: selection.Panel(v.Panel)}
	rounds := f.in.Session.Exchanges[x-1].Fold()
	switch {
	case rounds.Round(v.Round) != nil:
		s.Round = v.Round
	case len(rounds.Rounds) > 0:
		s.Round = rounds.Rounds[0].N
	}
	return f.address(x, s)
}

// address returns the address of a selection in an exchange.
func (f *file) address(x int, s selection.Selection) string {
	address := strings.TrimPrefix(f.reader.Address(x, s), "?")
	if address == "" {
		return startAddress
	}
	return address
}

// demo writes the steps of a demo.
func (f *file) demo() (start string, err error) {
	t, ok := readerview.OpenDemo(f.reader)
	if !ok {
		return "", fmt.Errorf("the demo does not fit its recording")
	}
	in := f.reader
	in.Explain = f.in.Explain
	for n := 1; n <= t.Newest() && err == nil; n++ {
		step := readerview.DemoStep(in, t, n, false)
		err = f.render(view{address: fmt.Sprintf("step=%d", n), n: n, prefix: fmt.Sprintf("d%d-", n)},
			stageview.Main(step))
	}
	return fmt.Sprintf("step=%d", min(max(f.in.View.Round, 1), t.Newest())), err
}

// exchange writes the Rounds of an exchange, and what all of them share.
func (f *file) exchange(n int) error {
	x := f.in.Session.Exchanges[n-1]
	in := f.reader
	if in.X, in.Instances = n, f.in.Instances(x); f.in.Opens(x) {
		in.Explain = f.in.Explain
	}
	numbers := []int{0}
	if rounds := x.Fold().Rounds; len(rounds) > 0 {
		numbers = nil
		for _, r := range rounds {
			numbers = append(numbers, r.N)
		}
	}
	start := f.Len()
	var anchors strings.Builder
	for i, round := range numbers {
		in.Selection = selection.Selection{Round: round}
		model, ok := readerview.New(in)
		if !ok {
			return fmt.Errorf("exchange %d has no round %d", n, round)
		}
		v := view{f.address(n, in.Selection), n, round, fmt.Sprintf("x%dr%d-", n, round)}
		if err := f.render(v, readerview.Main(model)); err != nil {
			return err
		}
		if i < len(numbers)-1 { // the rules have the address of the last Round
			rules := selection.Selection{Round: round, Panel: selection.PanelRules}
			fmt.Fprintf(&anchors, `<span id="%s"></span>`, html.EscapeString(f.address(n, rules)))
			continue
		}
		if round == 0 {
			break
		}
		fmt.Fprintf(f, `<section class="view shared" data-of="%d">%s`, n, anchors.String())
		v.prefix = fmt.Sprintf("x%d-", n)
		if err := f.render(v, exchangeview.EveryShared(model.Exchange)); err != nil {
			return err
		}
		f.WriteString("</section>")
	}
	return f.pack(n, start)
}

// render writes a component for a view.
func (f *file) render(v view, c templ.Component) error {
	var b bytes.Buffer
	if err := c.Render(f.ctx, &b); err != nil {
		return fmt.Errorf("render %s: %w", v.address, err)
	}
	return f.add(v, b.Bytes())
}
