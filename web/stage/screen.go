package stage

import (
	"bytes"
	"context"
	"fmt"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/demo"
	stageview "github.com/mrtr-playground/mrtr-playground/views/stage"
)

// screens renders what the followers of a talk get.
type screens struct{ *Pages }

// Step renders the newest step of a talk.
func (s screens) Step(ctx context.Context, code, id string, t demo.Showing) (app.Screen, error) {
	main, err := rendered(ctx, stageview.FollowMain(stageview.NewFollow(stageview.Input{
		Story: t.Story, Stage: t.Stage, Own: t.Own, Legacy: t.Legacy, N: t.Newest(), Explain: s.App.Explain,
	}, code, id)))
	return app.Screen{Main: main, Event: event("step", id, main)}, err
}

// Ended renders the end of a talk.
func (screens) Ended(ctx context.Context) (app.Screen, error) {
	main, err := rendered(ctx, stageview.FollowEnded())
	return app.Screen{Event: event("ended", app.Over, main)}, err
}

func rendered(ctx context.Context, component templ.Component) ([]byte, error) {
	var b bytes.Buffer
	err := component.Render(ctx, &b)
	return b.Bytes(), err
}

// event returns a server-sent event with HTML.
func event(name, id string, html []byte) []byte {
	lines := bytes.ReplaceAll(html, []byte("\n"), []byte("\ndata: "))
	return fmt.Appendf(nil, "event: %s\nid: %s\ndata: %s\n\n", name, id, lines)
}
