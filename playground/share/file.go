package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mrtr-playground/mrtr-playground/playground/export"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Kind is the kind of content that a link shows.
type Kind string

// Kinds of shares. The empty Kind means KindExchange.
const (
	KindExchange Kind = "exchange" // one call or several, round by round
	KindBoard    Kind = "board"    // the results board of a session
	KindCompare  Kind = "compare"  // two exchanges side by side
	KindDemo     Kind = "demo"     // the steps of a demo
	KindFlow     Kind = "flow"     // a flow, with the exchange that it leads to
)

// View is the part that a link opens with.
type View struct {
	Kind  Kind
	Shown []int // the exchanges that a reader can open, from 1, in order
	Round int   // that the link opens with, of a demo its step; 0 for the first
	Panel string
	Check bool  // KindBoard: the session is a check
	Of    int   // KindBoard: the exchange whose Lab it is, from 1
	Demo  *Demo // of KindDemo; nil for the others
	// Verdicts are those of the shown experiments. Judging one can need exchanges
	// that the share does not have.
	Verdicts []Verdict
}

// Verdict is the result of an experiment as its owner saw it.
type Verdict struct {
	Exchange int    `json:"exchange"` // in the snapshot, from 1
	Verdict  string `json:"verdict"`  // of package rules
	Text     string `json:"text"`     // one sentence; may be empty
}

// Demo is the stage of a demo in a snapshot. Own and Legacy are the numbers of
// its exchanges, from 1; Legacy is 0 if the lane before MRTR was not shown.
type Demo struct {
	Story       string // slug
	Own, Legacy int
	Marks       []Mark
	Text        string // of a user's story; empty for one of the program
}

// Mark is a step that the stage has reached.
type Mark struct {
	Instances string `json:"instances"`
	Next      string `json:"next"`
	Rounds    int    `json:"rounds"`
}

const (
	fileFormat  = "mrtr-playground/share"
	fileVersion = 1
)

// file is the stored form of a share: how it opens, and the snapshot.
type file struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Kind    Kind            `json:"kind"`
	Shown   []int           `json:"shown"`
	Round   int             `json:"round,omitempty"`
	Panel   string          `json:"panel,omitempty"`
	Check   bool            `json:"check,omitempty"`
	Of      int             `json:"of,omitempty"`
	Demo    *fileDemo       `json:"demo,omitempty"`
	Session json.RawMessage `json:"session"` // a file of package export
	Flow    string          `json:"flow,omitempty"`

	Verdicts []Verdict `json:"verdicts,omitempty"`
}

type fileDemo struct {
	Story  string `json:"story"`
	Own    int    `json:"own"`
	Legacy int    `json:"legacy,omitempty"`
	Marks  []Mark `json:"marks"`
	Text   string `json:"text,omitempty"`
}

// errFile is the error of a share that cannot be read.
var errFile = errors.New("the share is damaged")

// Encode returns the Data of a share. It returns an error if a text of the
// session cannot be written as JSON.
func Encode(v View, s session.Session) ([]byte, error) {
	data, err := export.JSON(s)
	if err != nil {
		return nil, err
	}
	f := file{Format: fileFormat, Version: fileVersion, Kind: v.Kind, Shown: v.Shown, Round: v.Round,
		Panel: v.Panel, Check: v.Check, Of: v.Of, Session: data, Flow: s.Flow, Verdicts: v.Verdicts}
	if v.Demo != nil {
		f.Demo = (*fileDemo)(v.Demo)
	}
	out, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode share: %w", err)
	}
	return out, nil
}

// maxSession is the largest session of a share, in bytes.
const maxSession = 2 << 20

// Decode reads the Data of a share. Shares of the first version are a file of
// package export alone, of which every exchange is shown.
func Decode(data []byte) (View, session.Session, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil || f.Format != fileFormat {
		s, err := export.Import(data, maxSession)
		if err != nil {
			return View{}, s, err
		}
		v := View{Kind: KindExchange, Shown: numbers(s.Exchanges, nil)}
		return v, s, v.check(len(s.Exchanges))
	}
	if f.Version != fileVersion {
		return View{}, session.Session{}, fmt.Errorf("%w: version %d", errFile, f.Version)
	}
	s, err := export.Import(f.Session, maxSession)
	if err != nil {
		return View{}, s, err
	}
	s.Flow = f.Flow
	v := View{Kind: f.Kind, Shown: f.Shown, Round: f.Round, Panel: f.Panel, Check: f.Check, Of: f.Of,
		Demo: (*Demo)(f.Demo), Verdicts: f.Verdicts}
	return v, s, v.check(len(s.Exchanges))
}

// check returns an error if the view does not fit a session with n exchanges.
func (v View) check(n int) error {
	outside := func(i int) bool { return i < 1 || i > n }
	switch {
	case len(v.Shown) == 0 || slices.ContainsFunc(v.Shown, outside):
	case v.Kind == KindCompare && len(v.Shown) != 2:
	case v.Kind == KindBoard && outside(v.Of):
	case (v.Kind == KindDemo) != (v.Demo != nil):
	case v.Demo != nil && (outside(v.Demo.Own) || v.Demo.Legacy != 0 && outside(v.Demo.Legacy) ||
		len(v.Demo.Marks) == 0):
	default:
		return nil
	}
	return fmt.Errorf("%w: it does not fit its recording", errFile)
}
