package exercise

import "github.com/mrtr-playground/mrtr-playground/playground/text"

// Block is a failed requirement because of which others were not judged.
type Block struct {
	Cause Requirement
	After []Requirement
}

// Unjudged returns the requirements because of which others were not judged.
func Unjudged(list []Requirement) (blocks []Block) {
	for _, cause := range list {
		b := Block{Cause: cause}
		for _, r := range list {
			if r.Cause == cause.ID {
				b.After = append(b.After, r)
			}
		}
		if len(b.After) > 0 {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// Words returns the block in one sentence, for a list without ids.
func (b Block) Words() string {
	return text.Plural(len(b.After), "requirement") + " cannot be judged until this one is met: " +
		b.Cause.Text
}
