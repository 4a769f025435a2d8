package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
)

// Showing is a Stage with its story and its calls.
type Showing struct {
	Story  Story
	Stage  Stage
	Own    playground.Exchange // of a recorded story, the call of the newest step
	Legacy *playground.Exchange
}

// Newest returns the last step that was reached. If the story has become
// shorter in a newer release, that is its end.
func (t Showing) Newest() int { return min(len(t.Stage.Marks), len(t.Story.Steps)) }

// Version returns a word that changes with everything that the stage shows.
func (t Showing) Version() string {
	past := 0
	if t.Legacy != nil {
		past = playground.Progress(t.Legacy.Log)
	}
	sum := sha256.Sum256(fmt.Append(nil, t.Stage.Marks, playground.Progress(t.Own.Log), past))
	return hex.EncodeToString(sum[:6])
}

// FromShare returns the stage of a shared demo, or false if the story is not one of
// this program any more.
func FromShare(v share.View, n session.Session) (Showing, bool) {
	d := v.Demo
	t := Showing{Own: n.Exchanges[d.Own-1]}
	t.Stage = Stage{Story: d.Story, Text: d.Text, Own: t.Own.ID}
	story, ok := t.Stage.Played()
	t.Story = story
	for _, position := range story.Recorded {
		n, err := strconv.Atoi(position)
		ok = ok && err == nil && 1 <= n && n <= len(v.Shown)
	}
	for _, m := range d.Marks {
		t.Stage.Marks = append(t.Stage.Marks, Mark(m))
	}
	t.Stage.Marks = t.Stage.Marks[:min(len(t.Stage.Marks), len(story.Steps))]
	if d.Legacy > 0 {
		x := n.Exchanges[d.Legacy-1]
		x.Target.Era = playground.Legacy
		t.Legacy, t.Stage.Legacy = &x, x.ID
	}
	return t, ok
}
