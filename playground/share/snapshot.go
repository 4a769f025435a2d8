package share

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/session"
)

// Options are the user's choices for a snapshot.
type Options struct {
	OmitNote, OmitAnswers, OmitHeaders bool
	Show                               []string // ids of findings that are published unmasked
	Credentials                        []string // the user's own credentials; always masked
	Pick                               []string // ids of the exchanges to publish; nil for all
	Story                              string   // text of the user's story that a demo plays
}

// Snapshot is the public copy of a session, with the findings in it.
type Snapshot struct {
	Session  session.Session
	Shown    []int // the picked exchanges in Session, from 1
	Findings []Finding
	Parts    []Part
	Story    string // Options.Story as it is published
}

// Part is one piece of the snapshot as it will be published, for the preview.
type Part struct {
	Exchange int // from 1; 0 for the session's own texts
	Label    string
	Runs     []Run
}

// Run is a stretch of a Part. Marked is true if it belongs to a finding, Masked
// if Text is masked.
type Run struct {
	Text   []byte
	Marked bool
	Masked bool
}

// NewSnapshot returns the snapshot of a session, which is not changed. Ids are
// replaced by numbers, because they lead to the user's own pages. Of the
// exchanges that are not picked nothing is published, but secrets are searched
// for there too: a value that one exchange names as a secret may be without its
// name in another.
func NewSnapshot(s session.Session, o Options) Snapshot {
	chosen := picked(s, o.Pick)
	public := publicCopy(chosen, o)
	list, story := pieces(&public), o.Story
	if story != "" {
		list = append(list, &piece{label: "Text of the demo", data: []byte(story),
			replace: func(b []byte, _ bool) { story = string(b) }})
	}
	scan := newScanner()
	scan.scan(slices.Concat(list, hidden(s, o)), o.Credentials)
	for _, f := range scan.order {
		f.Shown = !f.Locked && slices.Contains(o.Show, f.ID)
	}
	if o.OmitAnswers {
		scan.omitAnswers(list)
	}
	scan.maskSampleStates(list)
	snapshot := Snapshot{Shown: numbers(chosen.Exchanges, o.Pick)}
	for _, p := range list {
		part, data, masked := p.publish()
		p.replace(data, masked)
		if len(data) > 0 {
			snapshot.Parts = append(snapshot.Parts, part)
		}
	}
	forget(&public, o.Credentials)
	snapshot.Session, snapshot.Story = public, story
	for _, f := range scan.order {
		if f.Count > 0 {
			snapshot.Findings = append(snapshot.Findings, f.Finding)
		}
	}
	return snapshot
}

// forget removes the names of samples that have a credential in them.
func forget(s *session.Session, credentials []string) {
	for i := range s.Exchanges {
		t := &s.Exchanges[i].Target
		if slices.ContainsFunc(credentials, func(c string) bool { return strings.Contains(t.Sample, c) }) {
			t.ID, t.Sample = "", ""
		}
	}
}

// hidden returns all texts of a session if some of its exchanges are not picked,
// to search them for secrets.
func hidden(s session.Session, o Options) []*piece {
	if o.Pick == nil {
		return nil
	}
	all := publicCopy(s, o)
	list := pieces(&all)
	for _, p := range list {
		p.hidden = true
	}
	return list
}

// publicCopy returns a copy of the session without ids, sealed data and the
// parts that the options omit.
func publicCopy(s session.Session, o Options) session.Session {
	public := session.Session{Title: s.Title, Note: s.Note, Imported: s.Imported, Flow: s.Flow}
	if o.OmitNote {
		public.Note = ""
	}
	for i, x := range s.Exchanges {
		x.Origin, x.Reading = nil, nil // the parent as recorded is set below
		x.ID, x.Session, x.Log, x.Sealed = strconv.Itoa(i+1), "", slices.Clone(x.Log), nil
		x.Target.ID, x.Target.Sealed, x.Target.Secrets = x.Target.Sample, nil, nil
		for k := range x.Log {
			x.Log[k].Sealed = nil
		}
		if o.OmitHeaders {
			x.Target.Header = nil
			omitHeaders(x.Log)
		}
		public.Exchanges = append(public.Exchanges, x)
	}
	for i, x := range s.Exchanges {
		if x.Origin != nil {
			public.Exchanges[i].Origin = publicOrigin(s, public, *x.Origin)
		}
	}
	return public
}

// publicOrigin returns the origin with the parent's public copy, or nil if the
// parent is not in the session.
func publicOrigin(s, public session.Session, o playground.Origin) *playground.Origin {
	parent := slices.IndexFunc(s.Exchanges, func(x playground.Exchange) bool { return x.ID == o.Exchange })
	if parent < 0 {
		return nil
	}
	branch := playground.Origin{Exchange: public.Exchanges[parent].ID, Round: o.Round}
	if o.Round > 0 {
		branch.Parent = &public.Exchanges[parent]
	}
	return &branch
}

// maskSampleStates masks the states of samples if something that the user
// entered is masked, in an exchange with such a state. It contains the user's
// answers, also in branches, and this program shows the content of its samples'
// states to every reader.
func (s *scanner) maskSampleStates(list []*piece) {
	stateful := map[int]bool{} // exchanges
	for p, states := range s.states {
		stateful[p.exchange] = stateful[p.exchange] || len(states) > 0
	}
	masked := slices.ContainsFunc(list, func(p *piece) bool {
		return p.sample && p.isUsers() && stateful[p.exchange] && slices.ContainsFunc(p.marks, mark.masks)
	})
	for _, p := range list {
		if masked {
			p.marks = append(p.marks, s.states[p]...)
		}
	}
}

// publish returns the piece with its marks applied. Every masked byte becomes a
// star, or in a number a digit. Line ends stay.
func (p *piece) publish() (part Part, data []byte, masked bool) {
	marked, mask := make([]bool, len(p.data)), make([]bool, len(p.data))
	data = bytes.Clone(p.data)
	for _, m := range p.marks {
		for i := m.start; i < m.end; i++ {
			marked[i] = true
			if m.masks() && !overlaps([2]int{i, i + 1}, p.fixed) && data[i] != '\n' && data[i] != '\r' {
				mask[i], masked = true, true
				data[i] = '*'
				if m.number {
					data[i] = numeral(p.data[m.start:m.end], i-m.start)
				}
			}
		}
	}
	part = Part{Exchange: p.exchange, Label: p.label}
	for start, i := 0, 1; i <= len(data); i++ {
		if i == len(data) || marked[i] != marked[start] || mask[i] != mask[start] {
			part.Runs = append(part.Runs,
				Run{Text: data[start:i], Marked: marked[start], Masked: mask[start]})
			start = i
		}
	}
	return part, data, masked
}

// numeral returns the mask of byte i of a JSON number or boolean, such that the
// text stays a JSON value: digits become 9, true and false become null.
func numeral(text []byte, i int) byte {
	if text[0] == 't' || text[0] == 'f' {
		return "null "[i]
	}
	if text[i] >= '0' && text[i] <= '9' {
		return '9'
	}
	return text[i]
}
