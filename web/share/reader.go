package share

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	"github.com/mrtr-playground/mrtr-playground/views"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/stage"
)

// reading is a share that is read, or previewed.
type reading struct {
	share    share.Share
	measured bool // the recording of a real client, which is part of the program
	view     share.View
	session  session.Session
	place    views.ReaderPlace // zero: that of the link
	preview  bool
	marks    marks // of a preview: texts to mark
}

// shared returns the share of a token with its content. Invalid tokens all get
// the same error.
func (s *Pages) shared(c echo.Context, token string) (reading, error) {
	v := web.VisitOf(c)
	var r reading
	var err error
	if r.share, r.measured = clients.Share(token); !r.measured {
		if r.share, err = s.Store.Share(v.Context(), token, s.Now()); err != nil {
			return r, s.LinkError(v, err)
		}
	}
	if r.view, r.session, err = share.Decode(r.share.Data); err == nil {
		err = s.TakeTurn(v, r.session)
	}
	return r, err
}

// reader shows a share to anyone with its link. It needs no cookie, sets none
// and never contacts the recorded server.
func (s *Pages) reader(c echo.Context) error {
	r, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	if c.Request().URL.RawQuery == "" && !r.measured {
		s.viewed(c, r.share)
	}
	return s.read(c, r)
}

// read shows a share: an exchange of it with ?x=, else what its kind says.
func (s *Pages) read(c echo.Context, r reading) error {
	in := views.ReaderInput{
		Share: r.share, View: r.view, Session: r.session, Base: s.OwnURL(c), Place: r.place,
		Preview: r.preview,
	}
	if r.view.Kind == share.KindFlow { // its exchange was not recorded, so it is not shown as one
		model := views.NewSharedFlow(in)
		return s.showReader(c, r, model.Head, views.SharedFlowMain(model))
	}
	if c.QueryParam("x") == "" {
		switch r.view.Kind {
		case share.KindBoard:
			model := views.NewSharedBoard(in)
			return s.showReader(c, r, model.Head, views.SharedBoardMain(model))
		case share.KindCompare:
			model := views.NewSharedComparison(in)
			return s.showReader(c, r, model.Head, views.SharedCompareMain(model))
		case share.KindDemo:
			return s.readDemo(c, r, in)
		}
	}
	return s.readExchange(c, r, in)
}

// readExchange shows one exchange of a share. Without a selection in the
// address, it opens with what the owner chose.
func (s *Pages) readExchange(c echo.Context, r reading, in views.ReaderInput) error {
	first := r.view.Shown[0]
	in.X = web.Number(c.QueryParam("x"), first)
	selection, ok := views.ReadSelection(c.QueryParams())
	if !ok {
		return app.NotFound()
	}
	if selection == (views.Selection{}) && c.QueryParam("x") == "" {
		selection.Panel = views.Panel(r.view.Panel)
		if r.session.Exchanges[first-1].Fold().Round(r.view.Round) != nil {
			selection.Round = r.view.Round
		}
	}
	in.Selection = selection
	if slices.Contains(r.view.Shown, in.X) {
		x := r.session.Exchanges[in.X-1]
		in.Instances = s.instancesOf(x)
		if in.Instances != "" && !app.ContinuesForeign(x) {
			in.Explain = s.Explain
		}
	}
	model, ok := views.NewReader(in)
	if !ok {
		return app.NotFound()
	}
	if web.WantsDrawer(c) {
		return s.showMain(c, r, views.DrawerView(model.Exchange))
	}
	return s.showReader(c, r, model.Head, views.ReaderMain(model))
}

// readDemo shows a step of a shared demo.
func (s *Pages) readDemo(c echo.Context, r reading, in views.ReaderInput) error {
	t, ok := demoOf(r)
	if !ok {
		return app.NotFound()
	}
	n := web.Number(c.QueryParam("step"), max(r.view.Round, 1))
	if n < 1 || n > t.Newest() {
		return app.NotFound()
	}
	if t.Story.IsRecorded() {
		position, _ := strconv.Atoi(t.Stage.Call(t.Story, n)) // demoOf has read it
		t.Own = r.session.Exchanges[r.view.Shown[position-1]-1]
	}
	player := views.NewDemoPlayer(in, t.Own)
	model := views.NewStage(views.StageInput{
		Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: n,
		Present: c.QueryParam("present") == "1", Explain: s.Explain, Player: player,
	})
	return s.showReader(c, r, player.Head, views.StageMain(model))
}

// demoOf returns the stage of a shared demo, or false if the story is not one of
// this program any more.
func demoOf(r reading) (stage.DemoSession, bool) {
	d := r.view.Demo
	t := stage.DemoSession{Own: r.session.Exchanges[d.Own-1]}
	t.Stage = demo.Stage{Story: d.Story, Text: d.Text, Own: t.Own.ID}
	story, ok := t.Stage.Played()
	t.Story = story
	for _, position := range story.Recorded {
		n, err := strconv.Atoi(position)
		ok = ok && err == nil && 1 <= n && n <= len(r.view.Shown)
	}
	for _, m := range d.Marks {
		t.Stage.Marks = append(t.Stage.Marks, demo.Mark(m))
	}
	t.Stage.Marks = t.Stage.Marks[:min(len(t.Stage.Marks), len(story.Steps))]
	if d.Legacy > 0 {
		x := r.session.Exchanges[d.Legacy-1]
		x.Target.Era = playground.Legacy
		t.Legacy, t.Stage.Legacy = &x, x.ID
	}
	return t, ok
}

// showReader shows a page of a share.
func (s *Pages) showReader(c echo.Context, r reading, head views.ReaderHead, main templ.Component) error {
	if web.WantsFragment(c) {
		return s.showMain(c, r, main)
	}
	title := head.Title
	if r.preview {
		title = "Preview of " + title
	}
	page := s.Page(c, title, "")
	page.Bare = r.preview || c.QueryParam("present") == "1"
	if !r.preview {
		page.Here, page.Share = "/s/"+r.share.Token, &head.Meta
	}
	return s.showMain(c, r, views.ReaderPage(page, main))
}

// showMain renders a component of a share, in a preview with its marks.
func (s *Pages) showMain(c echo.Context, r reading, component templ.Component) error {
	if !r.preview {
		return s.Render(c, http.StatusOK, component)
	}
	return s.Render(c, http.StatusOK, markedPage{component, r.marks})
}

// viewed counts a view. A failure is logged and does not fail the page.
func (s *Pages) viewed(c echo.Context, h share.Share) {
	if c.Request().Method != http.MethodGet {
		return
	}
	if err := s.Store.CountView(c.Request().Context(), h.Token); err != nil {
		s.Logger.Warn("count view", "err", err)
	}
}

// ForkShare copies a share into the reader's workspace. The copy has no
// credentials, and nothing is sent: an open question stays open.
func (s *Pages) ForkShare(c echo.Context) error {
	r, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	if err := s.LimitImports(web.VisitOf(c)); err != nil {
		return err
	}
	if r.view.Kind == share.KindFlow {
		id, err := s.MakeFlow(web.VisitOf(c), r.session.Flow)
		if err != nil {
			return err
		}
		return web.SeeOther(c, views.FlowPath(id))
	}
	for i := range r.session.Exchanges {
		r.session.Exchanges[i].Target.Header = nil
	}
	return s.History.Adopt(c, r.session, r.view.Shown[0]-1)
}

// Embed shows a share in a frame of another page. It is the only page that may
// be framed by other sites.
func (s *Pages) Embed(c echo.Context) error {
	r, err := s.shared(c, c.Param("token"))
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("Content-Security-Policy", framedPolicy)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("X-Frame-Options")
	meta := views.NewMeta(r.share, r.view, r.session, s.OwnURL(c))
	first := r.session.Exchanges[r.view.Shown[0]-1]
	model := views.Embed{Title: meta.Title, Description: meta.Description, URL: meta.URL,
		Imported: r.session.Imported, Made: first.Created, Hidden: server.HiddenInCall(first.Fold())}
	if r.view.Kind == share.KindBoard {
		board := views.NewSharedBoard(views.ReaderInput{View: r.view, Session: r.session}).Report.Board.Bare()
		model.Board = &board
	}
	for i, p := range s.picturesOf(r.view, r.session) {
		one := views.EmbedPicture{Wide: string(p.SVG()), Narrow: string(p.Narrow().SVG())}
		if r.view.Kind == share.KindCompare {
			one.Name = []string{"A", "B"}[i]
		}
		model.Pictures = append(model.Pictures, one)
	}
	return s.Render(c, http.StatusOK, views.EmbedPage(s.Page(c, meta.Title, ""), model))
}

// picturesOf returns the diagrams of a share: none of a board, two of a compare
// and one of anything else.
func (s *Pages) picturesOf(v share.View, n session.Session) []picture.Picture {
	switch v.Kind {
	case share.KindBoard:
		return nil
	case share.KindCompare:
		a, b := s.pictureOf(n, v.Shown[0]-1), s.pictureOf(n, v.Shown[1]-1)
		a.ID, b.ID = "a", "b"
		return []picture.Picture{a, b}
	}
	return []picture.Picture{s.pictureOf(n, v.Shown[0]-1)}
}

// wholePicture returns the whole call of a share in one drawing, as the page of
// a call that has ended shows it: of a demo with what happened to its instances
// on the way.
func (s *Pages) wholePicture(v share.View, n session.Session) picture.Picture {
	x := n.Exchanges[v.Shown[0]-1]
	f := x.Fold()
	o := picture.StageOptions{
		Instances: picture.ParseInstances(s.instancesOf(x)), Events: picture.EventsOf(x, f),
	}
	if v.Demo != nil {
		if t, ok := demoOf(reading{view: v, session: n}); ok {
			o.Events = picture.StageEvents(t.Stage.History(t.Story, t.Newest()))
		}
	}
	return picture.Stage(x, f, o)
}

// card returns the preview image of a share.
func (s *Pages) card(v share.View, n session.Session) ([]byte, error) {
	c := views.NewCard(v, n)
	switch v.Kind {
	case share.KindBoard:
		c.Parts = cardParts(v, n)
	case share.KindCompare:
		c.Pictures = s.picturesOf(v, n)
	default:
		c.Pictures = []picture.Picture{s.wholePicture(v, n)}
	}
	return c.PNG()
}

// cardParts returns the counts of a board for its picture.
func cardParts(v share.View, n session.Session) []picture.CardPart {
	counts := views.BoardReport(v, n).Experiments().Counts()
	var list []picture.CardPart
	for _, o := range verdict.Outcomes() {
		if n := counts.Of(o); n > 0 {
			list = append(list, picture.CardPart{N: n, Words: o.Count(n), Colour: cardColours[o]})
		}
	}
	return list
}

// cardColours are the colors of the outcomes in the picture of a board.
var cardColours = map[verdict.Outcome]string{
	verdict.Failed: "fail", verdict.Advisory: "muted", verdict.Passed: "pass", verdict.Stopped: "ink",
	verdict.NotJudged: "edge", verdict.NotReached: "edge", verdict.NotApplicable: "rule",
}

// framedPolicy is the content security policy of embed: no scripts, no forms.
const framedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors *"
