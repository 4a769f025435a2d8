package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/document"
	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/edit"
	recording "github.com/mrtr-playground/mrtr-playground/playground/flow/recorded"
	"github.com/mrtr-playground/mrtr-playground/playground/flow/review"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// FlowStore keeps flows. An id of another workspace results in playground.ErrNotFound, as
// an unknown one does.
type FlowStore interface {
	AddFlow(ctx context.Context, f flow.Saved, most int) (added bool, err error)
	Flow(ctx context.Context, workspace, id string) (flow.Saved, error)
	DraftFlow(ctx context.Context, workspace, id, draft string, at time.Time) error
	SaveFlow(ctx context.Context, workspace, id, title, text string, at time.Time) (number int, err error)
	FlowEditions(ctx context.Context, workspace, id string) ([]flow.Edition, error)
	EndFlow(ctx context.Context, workspace, id string, at time.Time) error
	RenewFlow(ctx context.Context, workspace, id, token string, at time.Time) error
}

// heavyFlow is the size of a flow's text, in bytes, from which reading it takes turns: a
// kilobyte can cost ten milliseconds.
const heavyFlow = 4 << 10

// readFlow waits until a visit may read the text of a flow. The turn ends with EndTurn.
func (s *App) readFlow(v *Visit, source string) error {
	if len(source) < heavyFlow {
		return nil
	}
	return s.WaitTurn(v)
}

// OpenFlow returns a flow of the visit's workspace. If it is large, the visit has its turn
// from then on.
func (s *App) OpenFlow(v *Visit, id string) (flow.Saved, error) {
	f, err := s.Store.Flow(v.ctx, v.Workspace(), id)
	if err != nil {
		return f, err
	}
	return f, s.readFlow(v, f.Edited())
}

// emptyFlow is the text of a flow that begins with nothing.
const emptyFlow = `flow: 1
name: my_tool
title: My tool
arguments: {}
steps: []
result: Done.
`

// MakeFlow stores a new flow with a text, or with nothing if that is empty, and returns its
// id. A text that is no valid flow is its draft.
func (s *App) MakeFlow(v *Visit, source string) (id string, err error) {
	workspace, err := v.Writing()
	if err != nil {
		return "", err
	}
	source = cmp.Or(StoredFlow(source), emptyFlow)
	if err := s.readFlow(v, source); err != nil {
		return "", err
	}
	f := flow.Saved{
		ID: s.NewID(), Workspace: workspace, Token: s.NewID(), Text: source, Created: s.Now(),
	}
	parsed, _ := review.Parse([]byte(source))
	if parsed == nil {
		f.Text, f.Draft = emptyFlow, source
	}
	f.Title = titleOf(parsed)
	most := math.MaxInt
	if s.Mode.Shared() {
		most = s.Limits.Flows
	}
	added := false
	err = s.Write(v, len(source), func() error {
		added, err = s.Store.AddFlow(v.ctx, f, most)
		return err
	})
	if err == nil && !added {
		err = Refuse(TooOften, "flows", "You have too many flows.",
			"A workspace can have "+text.Plural(most, "flow")+". Delete one in the history first.")
	}
	return f.ID, err
}

// FlowOf returns the text of a flow that asks as recorded calls did: those of a session
// with the method and the name of an exchange of the visit's workspace.
func (s *App) FlowOf(v *Visit, exchange string) (string, error) {
	x, err := s.Store.Exchange(v.ctx, v.Workspace(), exchange)
	if err != nil {
		return "", err
	}
	n, err := s.Store.Session(v.ctx, v.Workspace(), x.Session)
	if err != nil {
		return "", err
	}
	if err := s.TakeTurn(v, n); err != nil {
		return "", err
	}
	n.ReadOnce()
	if x.Call.Tool == nil && x.Target.ID != "" {
		if k, err := s.Find(v, x.Target.ID); err == nil {
			if tool, ok := k.Connection.Tool(x.Call.Name()); ok {
				defineTool(n.Exchanges, x.Call.Name(), tool.Definition)
			}
		}
	}
	source, err := recording.Make(recording.OfTool(n.Exchanges, x))
	if errors.Is(err, recording.ErrNothing) {
		return "", Refuse(Invalid, "nothing_recorded", "No flow can be made of this call.",
			"Its server has sent no response to any request. Make the call again first.")
	}
	return source, err
}

// defineTool adds the definition of a tool to calls of it that have none.
func defineTool(list []playground.Exchange, name string, definition json.RawMessage) {
	for i := range list {
		if c := &list[i].Call; c.Tool == nil && c.Method == playground.ToolsCall && c.Name() == name {
			c.Tool = definition
		}
	}
}

// titleOf returns the title of a flow, or its name if it has none.
func titleOf(f *flow.Flow) string {
	if f == nil {
		return "A new flow"
	}
	return cmp.Or(f.Title, f.Name)
}

// DraftFlow makes a text the draft of a flow, and returns the flow with it. If the text is
// large, the visit has its turn from then on.
func (s *App) DraftFlow(v *Visit, f flow.Saved, edited string) (flow.Saved, error) {
	if len(edited) > document.MaxBytes {
		return f, Refuse(TooLarge, "flow_too_large", "This flow is too large.",
			"Its text may have "+text.Size(document.MaxBytes)+".")
	}
	if edited == "" {
		edited = "\n" // an empty draft would be none
	}
	if edited == f.Edited() {
		return f, nil
	}
	if err := s.readFlow(v, edited); err != nil {
		return f, err
	}
	draft := edited
	if edited == f.Text {
		draft = ""
	}
	store := func() error { return s.Store.DraftFlow(v.ctx, f.Workspace, f.ID, draft, s.Now()) }
	more := len(draft) - len(f.Draft)
	if f.Draft = draft; more <= 0 {
		return f, store()
	}
	return f, s.Write(v, more, store)
}

// ActOnFlow does what a button of the editor stands for to the draft of a flow. It returns
// the flow and the path of the control to go on with.
func (s *App) ActOnFlow(v *Visit, f flow.Saved, button string) (flow.Saved, string, error) {
	edited, focus, err := edit.Act(f.Edited(), button)
	if err != nil {
		return f, "", Refuse(Invalid, "no_place", "The flow has no such place.",
			"It has changed since this page was made. Reload it.")
	}
	f, err = s.DraftFlow(v, f, edited)
	return f, focus, err
}

// SaveFlow makes the draft of a flow what its address runs, and returns it as it was read.
// It returns why it is not valid if it is not; then nothing was saved.
func (s *App) SaveFlow(v *Visit, f flow.Saved) (*flow.Flow, []document.Problem, error) {
	parsed, problems := review.Parse([]byte(f.Edited()))
	if parsed == nil {
		return nil, problems, nil
	}
	return parsed, nil, s.Write(v, len(f.Edited()), func() error {
		_, err := s.Store.SaveFlow(v.ctx, f.Workspace, f.ID, titleOf(parsed), f.Edited(), s.Now())
		return err
	})
}

// EndFlow ends the address of a flow.
func (s *App) EndFlow(v *Visit, f flow.Saved) error {
	return s.Store.EndFlow(v.ctx, f.Workspace, f.ID, s.Now())
}

// RenewFlow gives a flow another address.
func (s *App) RenewFlow(v *Visit, f flow.Saved) error {
	return s.Store.RenewFlow(v.ctx, f.Workspace, f.ID, s.NewID(), s.Now())
}

// RestoreFlow makes an earlier edition of a flow its draft.
func (s *App) RestoreFlow(v *Visit, f flow.Saved, number int) error {
	list, err := s.Store.FlowEditions(v.ctx, f.Workspace, f.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(e flow.Edition) bool { return e.Number == number })
	if i < 0 {
		return NotFound()
	}
	_, err = s.DraftFlow(v, f, list[i].Text)
	return err
}

// StoredFlow returns the text of a flow as it is stored: with LF as the end of a line, as
// forms send it back, and without bytes that no database keeps.
func StoredFlow(source string) string {
	source = strings.ToValidUTF8(strings.ReplaceAll(source, "\x00", "\ufffd"), "\ufffd")
	return strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n")
}
