package views

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/state"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/sampletools/seal"
)

// StatePanel describes the requestState of a Round. For a sample it shows the
// server's view; for a foreign server only the shape of the state.
type StatePanel struct {
	Shown  int // Round on the page
	Round  int // Round that returned the state: that one, or the last one before it
	Exists bool
	Length int
	Sum    string // SHA-256 of the text, hex, the first 16 digits
	Echo   string // whether the next request echoed it unchanged
	Sample bool
	Mode   string
	Blocks []Block
	Claims []JSONLine
	Note   string       // what it is valid for; or why it is refused
	Until  time.Time    // when a sample's state expires; zero when unknown
	Format *StateFormat // of a foreign state
}

// StateFormat describes the shape of a foreign state. A client must not act on
// it; it is meant for the author of the server.
type StateFormat struct {
	Name   string
	Blocks []Block
	Notes  []string
}

// Block is a part of a state.
type Block struct{ Name, Detail, Meaning string }

// NewStatePanel describes the state that Round i returned, or the last one
// before it. explain opens a state of a sample; it is nil for foreign servers.
func NewStatePanel(f playground.Transcript, i int, explain func(string) seal.Explanation) StatePanel {
	p := StatePanel{Shown: f.Rounds[i].N}
	for i > 0 && f.Rounds[i].State == nil {
		i--
	}
	r := f.Rounds[i]
	p.Round, p.Exists = r.N, r.State != nil
	if !p.Exists {
		return p
	}
	text := r.StateText()
	sum := sha256.Sum256([]byte(text))
	p.Length, p.Sum, p.Echo = len(text), hex.EncodeToString(sum[:8]), echoWords(f, i)
	if explain == nil {
		p.Format = newStateFormat(state.Recognise(text))
		return p
	}
	p.Sample = true
	p.explained(explain(text), claimsBefore(f, i, explain))
	return p
}

// claimsBefore returns the claims of the state before that of Round i, or nil.
func claimsBefore(f playground.Transcript, i int, explain func(string) seal.Explanation) *jsontree.Node {
	for i--; i >= 0; i-- {
		if f.Rounds[i].State != nil {
			node, _ := jsontree.Parse(explain(f.Rounds[i].StateText()).JSON, jsontree.Limits{})
			return node
		}
	}
	return nil
}

func newStateFormat(f state.Format) *StateFormat {
	g := &StateFormat{Name: f.Name}
	for _, part := range f.Parts {
		g.Blocks = append(g.Blocks, Block{
			Name: part.Label, Detail: text.Size(part.End - part.Start), Meaning: part.Note,
		})
	}
	if f.Readable {
		g.Notes = append(g.Notes, "Anyone can read it: "+text.Visible(f.Payload, 400))
	}
	if !f.Protected {
		g.Notes = append(g.Notes, "Its shape shows no protection against tampering.")
	}
	if !f.Expires.IsZero() {
		g.Notes = append(g.Notes, "It appears to expire at "+f.Expires.UTC().Format(time.DateTime)+" UTC.")
	}
	return g
}

func echoWords(f playground.Transcript, i int) string {
	if i+1 >= len(f.Rounds) {
		return "not sent back yet"
	}
	sent := f.Rounds[i+1].Sent.At("params", "requestState")
	if sent != nil && string(sent.Raw()) == string(f.Rounds[i].State) {
		return fmt.Sprintf("echoed exactly in round %d", f.Rounds[i+1].N)
	}
	return fmt.Sprintf("not echoed exactly in round %d", f.Rounds[i+1].N)
}

func (p *StatePanel) explained(e seal.Explanation, before *jsontree.Node) {
	p.Mode = string(e.Mode)
	for _, part := range e.Parts {
		if part.Name == "separator" {
			continue
		}
		p.Blocks = append(p.Blocks, Block{Name: part.Name, Detail: blockDetail(part), Meaning: part.Meaning})
	}
	if node, err := jsontree.Parse(e.JSON, jsontree.Limits{}); err == nil {
		p.Claims = readable(before, node)
	}
	switch {
	case e.Why != "":
		p.Note = e.Why
	case e.Claims != nil:
		p.Until = e.Expires
		p.Note = fmt.Sprintf("Valid for %s of %s by %s with these arguments until %s.",
			e.Claims.Request.Method, e.Claims.Request.Name, principalWords(e.Claims.Request.Principal),
			e.Expires.Format(time.TimeOnly+" UTC"))
	}
}

func principalWords(p string) string {
	if p == "" {
		return "anyone"
	}
	return p
}

func blockDetail(p seal.Part) string {
	if p.Bytes == 0 || len(p.Text) <= 12 {
		return text.Visible(p.Text, 12)
	}
	return text.Plural(p.Bytes, "byte")
}
