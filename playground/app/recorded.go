package app

import (
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
)

// openRecorded adds a stage of a recorded story: a copy of its calls, so that the demo
// stays what it is when they go on or are deleted. Nothing is sent.
func (s *App) openRecorded(v *Visit, workspace string, story demo.Story, text string) (
	demo.Stage, error,
) {
	if err := s.WaitTurn(v); err != nil {
		return demo.Stage{}, err
	}
	st := demo.Stage{Session: s.NewID(), Story: story.Slug, Text: text}
	calls, err := s.recording(v, story.Recorded)
	if err != nil {
		return st, err
	}
	ids := map[string]string{}
	for i := range calls {
		x := &calls[i]
		old := x.ID
		x.ID = s.NewID()
		ids[old] = x.ID
		st.Text = strings.ReplaceAll(st.Text, old, x.ID)
		if x.Origin != nil {
			x.Origin.Exchange = ids[x.Origin.Exchange]
		}
	}
	st.Own = ids[story.Recorded[0]]
	st.Marks = []demo.Mark{{Instances: story.Instances, Rounds: story.Steps[0].Round}}
	n := stageSession(story, s.Now(), calls...)
	return st, s.Write(v, SizeOf(n)+len(st.Text), func() error {
		return s.Store.AddStage(v.Context(), workspace, st, n)
	})
}

// recording returns the calls of a recorded story in an order in which each follows
// the one that it branches from. They keep nothing that could be sent.
func (s *App) recording(v *Visit, ids []string) ([]playground.Exchange, error) {
	var list []playground.Exchange
	found := map[string]bool{}
	var add func(id string) error
	add = func(id string) error {
		if found[id] {
			return nil
		}
		found[id] = true
		x, err := s.Load(v, id)
		if err != nil {
			return err
		}
		if x.Origin != nil {
			if err := add(x.Origin.Exchange); err != nil {
				return err
			}
		}
		x = x.Redacted()
		x.Target.Sealed = nil
		CloseHeld(&x)
		list = append(list, x)
		return nil
	}
	for _, id := range ids {
		if err := add(id); err != nil {
			return nil, err
		}
	}
	return list, nil
}
