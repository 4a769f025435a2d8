package share

import (
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
)

// reading is a link that is read, or previewed.
type reading struct {
	app.Link
	place   readerview.Place // zero: that of the link
	preview bool
	marks   marks // of a preview: texts to mark
}

// open returns the link of the token in the path.
func (s *Pages) open(r *web.Request, token string) (reading, error) {
	l, err := s.App.OpenLink(r.Visit, token)
	return reading{Link: l}, err
}

// reader shows a share to anyone with its link. It needs no cookie, sets none
// and never contacts the recorded server.
func (s *Pages) reader(r *web.Request) error {
	read, err := s.open(r, r.Param("token"))
	if err != nil {
		return err
	}
	if r.URL.RawQuery == "" && r.Method == http.MethodGet {
		s.App.CountView(r.Visit, read.Link)
	}
	return s.read(r, read)
}

// read shows a share: an exchange of it with ?x=, else what its kind says.
func (s *Pages) read(r *web.Request, read reading) error {
	in := readerview.Input{
		Share: read.Share, View: read.View, Session: read.Public, Base: s.App.OwnURL(r), Place: read.place,
		Preview: read.preview,
	}
	if read.View.Kind == share.KindFlow { // its exchange was not recorded, so it is not shown as one
		model := flowview.NewSharedFlow(in)
		return s.showReader(r, read, model.Head, flowview.SharedFlowMain(model))
	}
	if r.QueryParam("x") == "" {
		switch read.View.Kind {
		case share.KindBoard:
			model := readerview.NewSharedBoard(in)
			return s.showReader(r, read, model.Head, readerview.SharedBoardMain(model))
		case share.KindCompare:
			model := readerview.NewSharedComparison(in)
			return s.showReader(r, read, model.Head, readerview.SharedCompareMain(model))
		case share.KindDemo:
			return s.readDemo(r, read, in)
		}
	}
	return s.readExchange(r, read, in)
}

// readExchange shows one exchange of a share. Without a selection in the
// address, it opens with what the owner chose.
func (s *Pages) readExchange(r *web.Request, read reading, in readerview.Input) error {
	first := read.View.Shown[0]
	in.X = web.Number(r.QueryParam("x"), first)
	chosen, ok := selection.Read(r.QueryParams())
	if !ok {
		return app.NotFound()
	}
	if chosen == (selection.Selection{}) && r.QueryParam("x") == "" {
		chosen.Panel = selection.Panel(read.View.Panel)
		if read.Public.Exchanges[first-1].Fold().Round(read.View.Round) != nil {
			chosen.Round = read.View.Round
		}
	}
	in.Selection = chosen
	if slices.Contains(read.View.Shown, in.X) {
		x := read.Public.Exchanges[in.X-1]
		if in.Instances = s.App.InstancesOf(x); s.explains(x) {
			in.Explain = s.App.Explain
		}
	}
	model, ok := readerview.New(in)
	if !ok {
		return app.NotFound()
	}
	if web.WantsDrawer(r) {
		return s.showMain(r, read, exchangeview.DrawerView(model.Exchange))
	}
	return s.showReader(r, read, model.Head, readerview.Main(model))
}

// readDemo shows a step of a shared demo.
func (s *Pages) readDemo(r *web.Request, read reading, in readerview.Input) error {
	t, ok := readerview.OpenDemo(in)
	if !ok {
		return app.NotFound()
	}
	n := web.Number(r.QueryParam("step"), max(read.View.Round, 1))
	if n < 1 || n > t.Newest() {
		return app.NotFound()
	}
	in.Explain = s.App.Explain
	model := readerview.DemoStep(in, t, n, r.QueryParam("present") == "1")
	return s.showReader(r, read, model.Player.Head, stageview.Main(model))
}

// showReader shows a page of a share.
func (s *Pages) showReader(r *web.Request, read reading, head shareview.Head, main templ.Component) error {
	if web.WantsFragment(r) {
		return s.showMain(r, read, main)
	}
	title := head.Title
	if read.preview {
		title = "Preview of " + title
	}
	page := s.App.Page(r, title, "")
	page.Bare = read.preview || r.QueryParam("present") == "1"
	if !read.preview {
		page.Here, page.Share = "/s/"+read.Share.Token, &head.Meta
	}
	return s.showMain(r, read, readerview.Page(page, main))
}

// showMain renders a component of a share, in a preview with its marks.
func (s *Pages) showMain(r *web.Request, read reading, component templ.Component) error {
	if !read.preview {
		return s.App.Render(r, http.StatusOK, component)
	}
	return s.App.Render(r, http.StatusOK, markedPage{component, read.marks})
}

// ForkShare copies a share into the reader's workspace.
func (s *Pages) ForkShare(r *web.Request) error {
	l, err := s.App.OpenLink(r.Visit, r.Param("token"))
	if err != nil {
		return err
	}
	id, err := s.App.Fork(r.Visit, l)
	switch {
	case err != nil:
		return err
	case l.View.Kind == share.KindFlow:
		return web.SeeOther(r, paths.Flow(id))
	}
	return web.SeeOther(r, "/x/"+id)
}

// Embed shows a share in a frame of another page. It is the only page that may
// be framed by other sites.
func (s *Pages) Embed(r *web.Request) error {
	read, err := s.open(r, r.Param("token"))
	if err != nil {
		return err
	}
	header := r.Writer.Header()
	header.Set("Content-Security-Policy", framedPolicy)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("X-Frame-Options")
	meta := readerview.NewMeta(read.Share, read.View, read.Public, s.App.OwnURL(r))
	first := read.Public.Exchanges[read.View.Shown[0]-1]
	model := readerview.Embed{Title: meta.Title, Description: meta.Description, URL: meta.URL,
		Imported: read.Public.Imported, Made: first.Created, Hidden: server.HiddenInCall(first.Fold())}
	if read.View.Kind == share.KindBoard {
		in := readerview.Input{View: read.View, Session: read.Public}
		board := readerview.NewSharedBoard(in).Report.Board.Bare()
		model.Board = &board
	}
	for i, p := range readerview.Pictures(read.View, read.Public, s.App.InstancesOf) {
		one := readerview.EmbedPicture{Wide: string(p.SVG()), Narrow: string(p.Narrow().SVG())}
		if read.View.Kind == share.KindCompare {
			one.Name = []string{"A", "B"}[i]
		}
		model.Pictures = append(model.Pictures, one)
	}
	return s.App.Render(r, http.StatusOK, readerview.EmbedPage(s.App.Page(r, meta.Title, ""), model))
}

// framedPolicy is the content security policy of embed: no scripts, no forms.
const framedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors *"
