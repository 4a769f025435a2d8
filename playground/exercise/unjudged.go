package exercise

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// Block is a missed requirement because of which others were not judged.
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

// IDs returns the block in one sentence with the ids of the requirements.
func (b Block) IDs() string {
	ids := make([]string, len(b.After))
	for i, r := range b.After {
		ids[i] = code(r.ID)
	}
	return fmt.Sprintf("Not judged, because %s is not met: %s.", code(b.Cause.ID), strings.Join(ids, ", "))
}
