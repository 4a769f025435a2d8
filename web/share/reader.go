package share

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/clients"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	exchangeview "github.com/mrtr-playground/mrtr-playground/views/exchange"
	flowview "github.com/mrtr-playground/mrtr-playground/views/flow"
	"github.com/mrtr-playground/mrtr-playground/views/kit/paths"
	"github.com/mrtr-playground/mrtr-playground/views/kit/selection"
	readerview "github.com/mrtr-playground/mrtr-playground/views/reader"
	shareview "github.com/mrtr-playground/mrtr-playground/views/share"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
	"github.com/mrtr-playground/mrtr-playground/web"
	"github.com/mrtr-playground/mrtr-playground/web/stage"
)

// reading is a share that is read, or previewed.
type reading struct {
	share    share.Share
	measured bool // the recording of a real client, which is part of the program
	view     share.View
	session  session.Session
	place    readerview.Place // zero: that of the link
	preview  bool
	marks    marks // of a preview: texts to mark
}

// shared returns the share of a token with its content. Invalid tokens all get
// the same error.
func (s *Pages) shared(r *web.Request, token string) (reading, error) {
	v := r.Visit
	var read reading
	var err error
	if read.share, read.measured = clients.Share(token); !read.measured {
		if read.share, err = s.Store.Share(v.Context(), token, s.Now()); err != nil {
			return read, s.LinkError(v, err)
		}
	}
	if read.view, read.session, err = share.Decode(read.share.Data); err == nil {
		err = s.TakeTurn(v, read.session)
	}
	return read, err
}

// reader shows a share to anyone with its link. It needs no cookie, sets none
// and never contacts the recorded server.
func (s *Pages) reader(r *web.Request) error {
	read, err := s.shared(r, r.Param("token"))
	if err != nil {
		return err
	}
	if r.URL.RawQuery == "" && !read.measured {
		s.viewed(r, read.share)
	}
	return s.read(r, read)
}

// read shows a share: an exchange of it with ?x=, else what its kind says.
func (s *Pages) read(r *web.Request, read reading) error {
	in := readerview.Input{
		Share: read.share, View: read.view, Session: read.session, Base: s.OwnURL(r), Place: read.place,
		Preview: read.preview,
	}
	if read.view.Kind == share.KindFlow { // its exchange was not recorded, so it is not shown as one
		model := flowview.NewSharedFlow(in)
		return s.showReader(r, read, model.Head, flowview.SharedFlowMain(model))
	}
	if r.QueryParam("x") == "" {
		switch read.view.Kind {
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
	first := read.view.Shown[0]
	in.X = web.Number(r.QueryParam("x"), first)
	chosen, ok := selection.Read(r.QueryParams())
	if !ok {
		return app.NotFound()
	}
	if chosen == (selection.Selection{}) && r.QueryParam("x") == "" {
		chosen.Panel = selection.Panel(read.view.Panel)
		if read.session.Exchanges[first-1].Fold().Round(read.view.Round) != nil {
			chosen.Round = read.view.Round
		}
	}
	in.Selection = chosen
	if slices.Contains(read.view.Shown, in.X) {
		x := read.session.Exchanges[in.X-1]
		in.Instances = s.instancesOf(x)
		if in.Instances != "" && !app.ContinuesForeign(x) {
			in.Explain = s.Explain
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
	t, ok := demoOf(read)
	if !ok {
		return app.NotFound()
	}
	n := web.Number(r.QueryParam("step"), max(read.view.Round, 1))
	if n < 1 || n > t.Newest() {
		return app.NotFound()
	}
	if t.Story.IsRecorded() {
		position, _ := strconv.Atoi(t.Stage.Call(t.Story, n)) // demoOf has read it
		t.Own = read.session.Exchanges[read.view.Shown[position-1]-1]
	}
	player := readerview.NewDemoPlayer(in, t.Own)
	model := stageview.New(stageview.Input{
		Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: n,
		Present: r.QueryParam("present") == "1", Explain: s.Explain, Player: player,
	})
	return s.showReader(r, read, player.Head, stageview.Main(model))
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
func (s *Pages) showReader(r *web.Request, read reading, head shareview.Head, main templ.Component) error {
	if web.WantsFragment(r) {
		return s.showMain(r, read, main)
	}
	title := head.Title
	if read.preview {
		title = "Preview of " + title
	}
	page := s.Page(r, title, "")
	page.Bare = read.preview || r.QueryParam("present") == "1"
	if !read.preview {
		page.Here, page.Share = "/s/"+read.share.Token, &head.Meta
	}
	return s.showMain(r, read, readerview.Page(page, main))
}

// showMain renders a component of a share, in a preview with its marks.
func (s *Pages) showMain(r *web.Request, read reading, component templ.Component) error {
	if !read.preview {
		return s.Render(r, http.StatusOK, component)
	}
	return s.Render(r, http.StatusOK, markedPage{component, read.marks})
}

// viewed counts a view. A failure is logged and does not fail the page.
func (s *Pages) viewed(r *web.Request, h share.Share) {
	if r.Method != http.MethodGet {
		return
	}
	if err := s.Store.CountView(r.Context(), h.Token); err != nil {
		s.Logger.Warn("count view", "err", err)
	}
}

// ForkShare copies a share into the reader's workspace. The copy has no
// credentials, and nothing is sent: an open question stays open.
func (s *Pages) ForkShare(r *web.Request) error {
	read, err := s.shared(r, r.Param("token"))
	if err != nil {
		return err
	}
	if err := s.LimitImports(r.Visit); err != nil {
		return err
	}
	if read.view.Kind == share.KindFlow {
		id, err := s.MakeFlow(r.Visit, read.session.Flow)
		if err != nil {
			return err
		}
		return web.SeeOther(r, paths.Flow(id))
	}
	for i := range read.session.Exchanges {
		read.session.Exchanges[i].Target.Header = nil
	}
	return s.History.Adopt(r, read.session, read.view.Shown[0]-1)
}

// Embed shows a share in a frame of another page. It is the only page that may
// be framed by other sites.
func (s *Pages) Embed(r *web.Request) error {
	read, err := s.shared(r, r.Param("token"))
	if err != nil {
		return err
	}
	header := r.Writer.Header()
	header.Set("Content-Security-Policy", framedPolicy)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("X-Frame-Options")
	meta := readerview.NewMeta(read.share, read.view, read.session, s.OwnURL(r))
	first := read.session.Exchanges[read.view.Shown[0]-1]
	model := readerview.Embed{Title: meta.Title, Description: meta.Description, URL: meta.URL,
		Imported: read.session.Imported, Made: first.Created, Hidden: server.HiddenInCall(first.Fold())}
	if read.view.Kind == share.KindBoard {
		in := readerview.Input{View: read.view, Session: read.session}
		board := readerview.NewSharedBoard(in).Report.Board.Bare()
		model.Board = &board
	}
	for i, p := range s.picturesOf(read.view, read.session) {
		one := readerview.EmbedPicture{Wide: string(p.SVG()), Narrow: string(p.Narrow().SVG())}
		if read.view.Kind == share.KindCompare {
			one.Name = []string{"A", "B"}[i]
		}
		model.Pictures = append(model.Pictures, one)
	}
	return s.Render(r, http.StatusOK, readerview.EmbedPage(s.Page(r, meta.Title, ""), model))
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
	c := readerview.NewCard(v, n)
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
	counts := readerview.BoardReport(v, n).Experiments().Counts()
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
