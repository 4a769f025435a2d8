package agent

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/spec"
)

// unseenExample is the id of a requirement that no check sees.
const unseenExample = "http.origin"

// unseenWords says what no check sees.
func unseenWords() string {
	unseen, all := 0, 0
	for _, x := range spec.Sentences() {
		if x.Party == spec.Client || x.Level != spec.Must && x.Level != spec.MustNot {
			continue
		}
		if all++; isUnseen(x) {
			unseen++
		}
	}
	example, _ := spec.ByID(unseenExample)
	return fmt.Sprintf("A check sees messages only. These cannot show %d of the %d requirements (MUST) for "+
		"servers, such as %q (%s/http says why).", unseen, all, strings.TrimSuffix(example.Text, "."),
		requirementsURI)
}

// isUnseen reports whether neither a rule nor an experiment judges a requirement.
func isUnseen(x spec.Sentence) bool { return !x.Observable() && len(x.Experiments) == 0 }
