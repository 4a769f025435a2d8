package export

import (
	"fmt"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/lab"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/server"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// maxShown is the number of characters of a body that the walkthrough shows.
const maxShown = 4000

// importedWords says in a file that a recording is only as true as its source.
const importedWords = "Imported: this recording came from a file or a link."

// Markdown returns the Session as a walkthrough: each Round with the reasons
// for the form of its request, its outcome, and a curl command. masks are
// passed to Curl.
func Markdown(s Session, masks ...Mask) []byte {
	w := markdownWriter{masks: masks}
	title := text.Markdown(s.Title)
	if title == "" {
		title = "An exchange"
	}
	w.p("# %s\n\n", title)
	if note := text.Markdown(s.Note); note != "" {
		w.p("%s\n\n", note)
	}
	if s.Imported {
		w.p("%s\n\n", importedWords)
	}
	for i, x := range s.Exchanges {
		if len(s.Exchanges) > 1 {
			w.p("## Exchange %d\n\n", i+1)
		}
		w.exchange(x)
	}
	return []byte(w.String())
}

// markdownWriter writes the walkthrough.
type markdownWriter struct {
	strings.Builder
	masks []Mask
}

func (w *markdownWriter) p(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *markdownWriter) exchange(x playground.Exchange) {
	f := x.Fold()
	w.p("%s to %s at %s, %s.\n\n", text.Markdown(x.Call.Method), text.Markdown(x.Target.Name),
		text.Markdown(x.Target.URL), day(x))
	if len(f.Rounds) > 0 {
		w.p("%s\n\n", repeatWords(x))
	}
	if x.Origin != nil && x.Origin.Round > 0 {
		w.p("This branch continues from round %d of an exchange above.\n\n", x.Origin.Round)
	}
	for i, r := range f.Rounds {
		if x.Inherits(r.N) {
			continue // written with that exchange
		}
		w.round(x, f, i)
	}
	w.p("The exchange is %s.\n\n", f.Status)
}

// repeatWords says how the recorded requests can be sent again.
func repeatWords(x playground.Exchange) string {
	if x.Target.IsCommand() {
		return "The server is a command. The lines below are the recorded requests: " +
			"paste them into its standard input. The recorded state may have expired."
	}
	return "The commands below send the recorded requests again. The recorded state may have expired. " +
		"If a command contains `$TOKEN`, set that variable to your own secret first."
}

// request writes the recorded request of a Round as a command that sends it
// again.
func (w *markdownWriter) request(x playground.Exchange, request wire.Frame) {
	if request.IsLine() {
		w.p("%s\n", fenced("json", text.Lines(strings.TrimSuffix(string(request.Body), "\n"), text.NoLimit)))
		return
	}
	w.p("%s\n", fenced("sh", Curl(request, x.Target.URL, w.masks...)))
}

func day(x playground.Exchange) string { return x.Created.UTC().Format("2 January 2006, 15:04 UTC") }

func (w *markdownWriter) round(x playground.Exchange, f playground.Transcript, i int) {
	r := f.Rounds[i]
	var before *playground.Round
	if i > 0 {
		before = &f.Rounds[i-1]
	}
	w.p("### Round %d\n\n", r.N)
	if r.Decision.Changed && r.Decision.Experiment == lab.EditedID {
		w.p("This request was edited by hand.\n\n")
	} else if e, ok := lab.ExperimentByID(r.Decision.Experiment); ok && r.Decision.Changed {
		w.p("Deliberate error: %s Expected: %s\n\n", e.Sends, e.Expects)
	}
	for _, line := range narrate.Reasons(r, before) {
		w.p("- %s\n", text.Markdown(line))
	}
	w.p("\n")
	if len(r.Request.Head) > 0 {
		w.request(x, r.Request)
	}
	w.p("%s\n\n", outcome(x, f, i))
	if len(r.Response.Body) > 0 {
		w.p("%s\n", fenced(language(r.Head),
			text.Cut(text.Lines(string(r.Response.Body), text.NoLimit), maxShown)))
	}
	for _, q := range r.Questions {
		w.p("- The server asks for %s (%s): %s\n", text.Markdown(q.Key), text.Markdown(q.Method),
			text.Markdown(q.Params.Get("message").Str()))
	}
	if len(r.Questions) > 0 {
		w.p("\n")
	}
}

// language returns the language of a code block with a response body.
func language(h wire.Head) string {
	if h.MediaType() == "application/json" {
		return "json"
	}
	return ""
}

// outcome returns how Round i ended, in Markdown.
func outcome(x playground.Exchange, f playground.Transcript, i int) string {
	r := f.Rounds[i]
	sentence := text.Markdown(narrate.Recorded(x.Target, f, i).Sentence)
	if took := r.Took(); took > 0 {
		sentence += fmt.Sprintf(" The round took %s.", text.Duration(took))
	}
	for _, t := range tripsOf(r) {
		if repeats := narrate.Repeats(t); repeats != "" {
			sentence += " " + repeats
		}
	}
	if r.State != nil {
		sentence += fmt.Sprintf(" Its requestState has %s.", text.Size(len(r.StateText())))
	}
	if hidden := server.HiddenInRound(r); hidden != "" {
		sentence += "\n\nWarning: " + hidden
	}
	return sentence
}
