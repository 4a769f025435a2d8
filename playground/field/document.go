package field

// Document is the facts as JSON. Its members are stable: members may be added, but none is
// removed or changes its meaning.
type Document struct {
	Revision    string            `json:"revision"` // of MCP
	Subjects    []SubjectDocument `json:"subjects"`
	Corrections []Correction      `json:"corrections"`
}

// SubjectDocument is the JSON form of a Subject with those of its facts that were asked for.
type SubjectDocument struct {
	Subject
	Facts []FactDocument `json:"facts"`
}

// FactDocument is the JSON form of a Fact, with the requirement in words, the link to its clause,
// and the path of the round that shows it on this site; each may be empty.
type FactDocument struct {
	Fact
	Text      string `json:"requirement_text"`
	Clause    string `json:"clause"`
	Recording string `json:"recording"`
}

// revision is that of MCP to which the requirements belong.
const revision = "2026-07-28"

// Document returns the facts that the filter picks. Subjects without any are left out.
func (d Data) Document(f Filter) Document {
	doc := Document{Revision: revision, Subjects: []SubjectDocument{}, Corrections: []Correction{}}
	for _, s := range d.Subjects {
		x := SubjectDocument{Subject: s, Facts: []FactDocument{}}
		for _, fact := range s.Facts {
			if f.has(s, fact) {
				x.Facts = append(x.Facts, FactDocument{fact, fact.Subject(), fact.Link(), s.Path(fact)})
			}
		}
		if len(x.Facts) > 0 {
			doc.Subjects = append(doc.Subjects, x)
		}
	}
	for _, c := range d.Corrections {
		if f.Subject == "" || f.Subject == c.Subject {
			doc.Corrections = append(doc.Corrections, c)
		}
	}
	return doc
}
