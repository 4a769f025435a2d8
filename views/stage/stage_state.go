package stage

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	stateview "github.com/mrtr-playground/mrtr-playground/views/state"
)

// State is the newest state as its server sees it.
type State struct {
	Length int
	Blocks []stateview.Block
	Facts  []StateFact
	Note   string
}

// StateFact is one value that a state carries.
type StateFact struct{ Name, Value string }

// newStageState explains the newest state. It returns nil if there is none.
func newStageState(f playground.Transcript, explain func(string) seal.Explanation) *State {
	if len(f.Rounds) == 0 || explain == nil {
		return nil
	}
	p := stateview.NewPanel(f, len(f.Rounds)-1, explain)
	if !p.Exists {
		return nil
	}
	e := explain(f.Round(p.Round).StateText())
	return &State{
		Length: p.Length, Blocks: stateview.Named(p.Blocks), Facts: heldFacts(e), Note: stateNote(e),
	}
}

// stateNote says for which call and for how long a state is valid.
func stateNote(e seal.Explanation) string {
	if e.Claims == nil {
		return e.Why
	}
	return fmt.Sprintf("Valid for this call of %s with these arguments for %g hours. "+
		"Outside of demos, the samples' states usually expire after 1 hour.",
		e.Claims.Request.Name, e.Expires.Sub(e.Issued).Hours())
}

// heldFacts returns the answers and the work that the state carries.
func heldFacts(e seal.Explanation) []StateFact {
	claims, err := jsontree.Parse(e.JSON, jsontree.Limits{})
	if err != nil {
		return nil
	}
	var list []StateFact
	for _, part := range []string{"answers", "work"} {
		node := claims.Get(part)
		if node == nil {
			continue
		}
		for _, m := range node.Members {
			list = append(list, StateFact{text.Visible(m.Key, 40), factValue(m.Value)})
		}
	}
	return list
}

// factValue returns a value in a few words. An object is named by its first text
// (a question by its key): the whole is on the page of the call.
func factValue(n *jsontree.Node) string {
	if words := narrate.Answer(playground.Answer{Value: n.Raw()}); n.Has("action") {
		return words
	}
	if s, ok := n.Text(); ok {
		return text.Visible(s, 80)
	}
	var words []string
	for _, item := range n.Items {
		words = append(words, factValue(item))
	}
	if len(words) > 0 {
		return strings.Join(words, ", ")
	}
	for _, m := range n.Members {
		if s, ok := m.Value.Text(); ok {
			return text.Visible(s, 80)
		}
	}
	return text.Visible(string(n.Raw()), 80)
}

// passOrFail is the colour of a verdict.
func passOrFail(good bool) string {
	if good {
		return "pass"
	}
	return "fail"
}

func tickOrCross(good bool) string {
	if good {
		return narrate.Good.Glyph()
	}
	return narrate.Bad.Glyph()
}
