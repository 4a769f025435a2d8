package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/rules"
	"github.com/mrtr-playground/mrtr-playground/playground/spec"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// unjudged is a rule or an experiment without a verdict.
type unjudged struct {
	ID  string `json:"id"`
	Why string `json:"why"`

	kind string
}

// noMessage is why a rule has no verdict.
const noMessage = "No message of this check is about it."

// unjudgedOf returns the experiments and rules of a report without a verdict.
func unjudgedOf(r lab.Report) []unjudged {
	list := []unjudged{}
	for _, p := range r.Results {
		if p.Verdict == rules.NA {
			list = append(list, unjudged{p.ID, text.Visible(p.Text, maxFound), "experiment"})
		}
	}
	for _, rule := range r.NotJudged {
		list = append(list, unjudged{rule.ID, noMessage, "rule"})
	}
	return list
}

// maxReasons is how many reasons the text of a board has.
const maxReasons = 6

// unjudgedWords says how many have no verdict for each reason, the most frequent first;
// "" for none.
func unjudgedWords(list []unjudged) string {
	groups := map[string][]unjudged{}
	var reasons []string
	for _, u := range list {
		if groups[u.Why] == nil {
			reasons = append(reasons, u.Why)
		}
		groups[u.Why] = append(groups[u.Why], u)
	}
	slices.SortStableFunc(reasons, func(a, b string) int {
		return cmp.Compare(len(groups[b]), len(groups[a]))
	})
	var words []string
	for i, why := range reasons {
		if i == maxReasons {
			words = append(words, "the others are in notJudged")
			break
		}
		group, named := groups[why], groups[why][0].ID
		if n := len(group); n > 1 {
			named = text.Plural(n, group[0].kind)
		}
		words = append(words, named+": "+inside(why))
	}
	if len(words) == 0 {
		return ""
	}
	return "Not judged: " + strings.Join(words, "; ") + "."
}

// inside returns the first sentence of a text as a part of another.
func inside(sentence string) string {
	first, n := utf8.DecodeRuneInString(sentence)
	rest, _, _ := strings.Cut(sentence[n:], ". ")
	return string(unicode.ToLower(first)) + strings.TrimSuffix(rest, ".")
}

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
