package export

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// outcome returns how a Round ended, in Markdown.
func outcome(x playground.Exchange, r playground.Round) string {
	sentence := inline(narrate.Sentence(x.Target, r))
	if took := r.Took(); took > 0 {
		sentence += fmt.Sprintf(" The round took %s.", text.Duration(took))
	}
	if r.State != nil {
		sentence += fmt.Sprintf(" Its requestState has %s.", text.Size(len(r.StateText())))
	}
	return sentence
}
