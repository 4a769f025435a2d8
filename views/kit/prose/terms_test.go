package prose

import "testing"

func TestExplained_FirstUsesAreLinks(t *testing.T) {
	const state = `<a class="term" href="/glossary#requeststate">requestState</a>`
	const required = `<a class="term" href="/glossary#input-required">input_required</a>`
	for sentence, want := range map[string]string{
		"":                              "",
		"Nothing <here>.":               "Nothing &lt;here&gt;.",
		"requestState":                  state,
		"A requestState, requestState.": "A " + state + ", requestState.",
		"requestState & input_required": state + " &amp; " + required,
		"input_required, requestState":  required + ", " + state,
	} {
		if got := rendered(t, Explained(sentence)); got != want {
			t.Errorf("%q: %s, want %s", sentence, got, want)
		}
	}
}
