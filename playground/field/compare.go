package field

import "fmt"

// Comparison says how facts differ from those that were measured before.
type Comparison struct {
	Same    int
	Changed []string // a sentence each
}

// String returns the counts, and a line for each change.
func (c Comparison) String() string {
	words := fmt.Sprintf("facts: %d the same, %d changed\n", c.Same, len(c.Changed))
	for _, line := range c.Changed {
		words += "  " + line + "\n"
	}
	return words
}

// Compare compares facts of subjects by their outcome and sentence. A subject, a version or a
// fact that only one list has is a change. The day and the place in a recording are none.
func Compare(before, now []Subject) Comparison {
	var c Comparison
	old := map[string]Subject{}
	for _, s := range before {
		old[s.Slug] = s
	}
	for _, s := range now {
		was, known := old[s.Slug]
		if known && was.Version != s.Version {
			c.Changed = append(c.Changed,
				fmt.Sprintf("%s: version %s, was %s", s.Slug, s.Version, was.Version))
		}
		c.compare(s.Slug, was.Facts, s.Facts)
		delete(old, s.Slug)
	}
	for _, s := range before {
		if _, gone := old[s.Slug]; gone {
			c.compare(s.Slug, s.Facts, nil)
		}
	}
	return c
}

// compare adds the facts of one subject.
func (c *Comparison) compare(slug string, before, now []Fact) {
	old := map[string]Fact{}
	for _, f := range before {
		old[f.Check] = f
	}
	for _, f := range now {
		was, known := old[f.Check]
		delete(old, f.Check)
		switch {
		case !known:
			c.Changed = append(c.Changed, fmt.Sprintf("%s: %s is new: %s", slug, f.Check, f.Outcome.Word()))
		case was.Outcome != f.Outcome || was.Sentence != f.Sentence || was.Requirement != f.Requirement:
			c.Changed = append(c.Changed, fmt.Sprintf("%s: %s %s: %s; was %s: %s", slug, f.Check,
				f.Outcome.Word(), f.Sentence, was.Outcome.Word(), was.Sentence))
		default:
			c.Same++
		}
	}
	for _, f := range before {
		if _, gone := old[f.Check]; gone {
			c.Changed = append(c.Changed, fmt.Sprintf("%s: %s is gone", slug, f.Check))
		}
	}
}
