// Package state shows a requestState: from the side of the sample that minted
// it, or for other servers what its format looks like from the outside; and the
// workbench, where a state is opened and changed.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/picture"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
	"github.com/mrtr-playground/mrtr-playground/views/kit/drawing"
	"github.com/mrtr-playground/mrtr-playground/views/kit/jsonview"
	"github.com/mrtr-playground/mrtr-playground/views/kit/prose"
)

// Panel describes the requestState of a Round. For a sample it shows the
// server's view; for a foreign server only the shape of the state.
type Panel struct {
	Shown   int // Round on the page
	Round   int // Round that returned the state: that one, or the last one before it
	Exists  bool
	Length  int
	Sum     string // SHA-256 of the text, hex, the first 16 digits
	Text    string // the whole text, with hidden characters visible; empty if it is too long
	Escaped bool   // Text has escapes in the place of hidden characters
	Echo    Echo
	Sample  bool
	Mode    string
	Blocks  []Block
	Bar     drawing.Drawing // Blocks by their bytes; empty if the format is unknown
	Claims  []jsonview.Line
	Added   string    // what the state carries that the one before did not; empty if unknown
	Bound   string    // the call that a sample's state belongs to; empty if unknown
	Refused string    // why the server would refuse a sample's state now; empty if it would not
	Until   time.Time // when a sample's state expires; zero when unknown
	Expired bool
	Format  *Format // of a foreign state
	Bench   string  // address of the workbench with this state; empty for readers
}

// Echo says whether the next request carried the state.
type Echo struct {
	Words string
	Exact bool // the next request carried it unchanged
	Sent  bool // the next request can be compared
}

// Format describes the shape of a foreign state. A client must not act on
// it; it is meant for the author of the server.
type Format struct {
	Name   string
	Blocks []Block
	Bar    drawing.Drawing
	Notes  []string
}

// Block is a part of a state. Bytes is the length of its text. A part without a
// name separates others.
type Block struct {
	Name, Detail, Meaning string
	Bytes                 int
}

// maxState is the most bytes of a state that the panel holds for copying.
const maxState = 64 << 10

// NewPanel describes the state that Round i returned, or the last one
// before it. explain opens a state of a sample; it is nil for foreign servers.
func NewPanel(f playground.Transcript, i int, explain func(string) seal.Explanation) Panel {
	p := Panel{Shown: f.Rounds[i].N}
	for i > 0 && f.Rounds[i].State == nil {
		i--
	}
	r := f.Rounds[i]
	p.Round, p.Exists = r.N, r.State != nil
	if !p.Exists {
		return p
	}
	state := r.StateText()
	sum := sha256.Sum256([]byte(state))
	p.Length, p.Sum, p.Echo = len(state), hex.EncodeToString(sum[:8]), newEcho(f, i)
	if len(state) <= maxState {
		p.Text = text.Visible(state, text.NoLimit)
		p.Escaped = p.Text != state
	}
	if explain == nil {
		p.Format = newStateFormat(state)
		return p
	}
	p.Sample = true
	p.explained(explain(state), claimsBefore(f, i, explain))
	return p
}

// claims are those of the state of Round n.
type claims struct {
	n    int
	node *jsontree.Node // nil if the state could not be opened
}

// claimsBefore returns the claims of the state before that of Round i, or nil
// if there is no such state.
func claimsBefore(f playground.Transcript, i int, explain func(string) seal.Explanation) *claims {
	for i--; i >= 0; i-- {
		if r := f.Rounds[i]; r.State != nil {
			node, _ := jsontree.Parse(explain(r.StateText()).JSON, jsontree.Limits{})
			return &claims{r.N, node}
		}
	}
	return nil
}

func newStateFormat(token string) *Format {
	f := state.Recognise(token)
	g := &Format{Name: f.Name}
	at := 0
	for _, part := range f.Parts {
		if part.Start > at {
			g.Blocks = append(g.Blocks, Block{Bytes: part.Start - at})
		}
		n := part.End - part.Start
		g.Blocks = append(g.Blocks, Block{Name: part.Label, Meaning: part.Note, Bytes: n})
		at = part.End
	}
	if at < len(token) && at > 0 {
		g.Blocks = append(g.Blocks, Block{Bytes: len(token) - at})
	}
	g.Bar = newXRay(g.Blocks, "xray")
	if f.Readable {
		g.Notes = append(g.Notes, "Anyone can read it: "+text.Visible(f.Payload, 400))
	}
	if !f.Protected && f.ID != state.Masked {
		g.Notes = append(g.Notes, "Its shape shows no protection against tampering.")
	}
	if !f.Expires.IsZero() {
		g.Notes = append(g.Notes, "It appears to expire on "+prose.Time(f.Expires)+".")
	}
	return g
}

func newEcho(f playground.Transcript, i int) Echo {
	if i+1 >= len(f.Rounds) {
		return Echo{Words: "not sent back yet"}
	}
	next := f.Rounds[i+1]
	if next.Sent == nil {
		return Echo{Words: "not sent back"}
	}
	if sent := next.Sent.At("params", "requestState"); sent != nil &&
		string(sent.Raw()) == string(f.Rounds[i].State) {
		if text.HasMask(sent.Raw()) {
			return Echo{Words: fmt.Sprintf("sent back in round %d, masked in this recording", next.N)}
		}
		return Echo{Words: fmt.Sprintf("echoed exactly in round %d", next.N), Exact: true, Sent: true}
	}
	return Echo{Words: fmt.Sprintf("not echoed exactly in round %d", next.N), Sent: true}
}

func (p *Panel) explained(e seal.Explanation, before *claims) {
	p.Mode = string(e.Mode)
	for _, part := range e.Parts {
		b := Block{Bytes: len(part.Text)}
		if part.Name != "separator" {
			b = Block{part.Name, blockDetail(part), part.Meaning, len(part.Text)}
		}
		p.Blocks = append(p.Blocks, b)
	}
	p.Bar = newXRay(p.Blocks, "xray")
	if node, err := jsontree.Parse(e.JSON, jsontree.Limits{}); err == nil {
		p.Added = addedSentence(before, node)
		var old *jsontree.Node
		if before != nil {
			old = before.node
		}
		p.Claims = jsonview.Layout{Dates: true}.LayOut(old, node)
	}
	if e.Claims != nil {
		p.Until, p.Expired = e.Expires, e.Refused == seal.Expired
		p.Bound = fmt.Sprintf("%s of %s, these arguments, %s",
			e.Claims.Request.Method, e.Claims.Request.Name, principalWords(e.Claims.Request.Principal))
	}
	if !p.Expired {
		p.Refused = e.Why
	}
}

// renewed are the claims that every state has anew, so that a change of them
// says nothing.
var renewed = []string{"version", "issued", "expires", "id"}

// carried are the claims that hold what a call gathered.
var carried = []string{"answers", "work"}

// addedSentence names the members that a state has and the one before did not
// have.
func addedSentence(before *claims, now *jsontree.Node) string {
	if before == nil {
		var names []string
		for _, name := range carried {
			names = append(names, memberNames(name, now.Get(name))...)
		}
		if len(names) == 0 {
			return "The first state of this call."
		}
		return "The first state of this call. It carries " +
			text.Visible(strings.Join(names, ", "), 400) + "."
	}
	if before.node == nil {
		return ""
	}
	var added, changed, removed []string
	for _, c := range jsontree.Diff(before.node, now) {
		path := strings.Join(c.Path, ".")
		switch {
		case slices.Contains(renewed, path):
		case c.Kind == jsontree.Added:
			added = append(added, memberNames(path, c.After)...)
		case c.Kind == jsontree.Removed:
			removed = append(removed, path)
		default:
			changed = append(changed, path)
		}
	}
	since := fmt.Sprintf(" since round %d", before.n)
	var sentences []string
	for _, list := range []struct {
		verb  string
		names []string
	}{{"Added", added}, {"Changed", changed}, {"Removed", removed}} {
		if len(list.names) > 0 {
			sentences = append(sentences,
				list.verb+since+": "+text.Visible(strings.Join(list.names, ", "), 400)+".")
			since = ""
		}
	}
	if len(sentences) == 0 {
		return "Nothing was added" + since + "."
	}
	return strings.Join(sentences, " ")
}

// memberNames returns the paths of the members of an object, or the path itself
// for any other value. It returns nil if there is none.
func memberNames(path string, n *jsontree.Node) []string {
	if n == nil {
		return nil
	}
	var names []string
	for _, m := range n.Members {
		names = append(names, path+"."+m.Key)
	}
	if len(names) == 0 {
		return []string{path}
	}
	return names
}

// newXRay draws the parts of a state by their bytes.
func newXRay(blocks []Block, id string) drawing.Drawing {
	if len(blocks) == 0 {
		return drawing.Drawing{}
	}
	x := picture.XRay{ID: id}
	for _, b := range blocks {
		x.Parts = append(x.Parts, picture.XRayPart{
			Name: b.Name, Value: b.Detail, Bytes: b.Bytes, Meaning: b.Meaning,
		})
	}
	return drawing.New("drawn-xray", picture.WideXRay, func(width int) []byte { return x.At(width).SVG() })
}

func principalWords(p string) string {
	if p == "" {
		return "any user"
	}
	return "user " + text.Visible(p, 80)
}

// blockDetail returns the text of a part that is short enough to be read.
func blockDetail(p seal.Part) string {
	if len(p.Text) > 8 {
		return ""
	}
	return text.Visible(p.Text, 8)
}

// Words returns a part with its length: "mode sealed, 6 bytes".
func (b Block) Words() string {
	words := b.Name
	if b.Detail != "" {
		words += " " + b.Detail
	}
	return words + ", " + text.Plural(b.Bytes, "byte")
}

// Named returns the parts that are not separators.
func Named(blocks []Block) []Block {
	var list []Block
	for _, b := range blocks {
		if b.Name != "" {
			list = append(list, b)
		}
	}
	return list
}
