// Package result shows the final result of a call for people: the blocks of its content, the
// structured content, and how that fits the output schema of the tool. What is not text or a
// known picture or sound is offered as a file that no browser opens by itself.
package result

import (
	"encoding/base64"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/form"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/narrate"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
	"github.com/mrtr-playground/mrtr-playground/playground/verdict"
	wireview "github.com/mrtr-playground/mrtr-playground/views/wire"
)

// Result is the final result of a call.
type Result struct {
	Heading    string
	IsError    bool
	Judged     bool // the page opens with the verdict of an experiment on it
	Status     playground.Status
	Parts      []Part
	Structured []Line
	JSON       string // structured content that is not a flat object
	Output     Output // how the structured content fits the tool's output schema
	LessonPath string // lesson that explains the exchange; empty for none
}

// Output is the verdict on structured content that has something to say.
type Output struct {
	Verdict verdict.Outcome // Failed, Advisory or NotJudged; "" for nothing to say
	Heading string
	Reasons []string
}

// Part is one block of content. Kind is text, image, audio, link, file
// or other.
type Part struct {
	Kind  string
	Role  string // of a prompt's messages
	Text  string // text; or the title of other content
	About string // MIME type, size
	Data  string // data: URL of an image or of audio, checked
	URI   string

	Download, FileName string // data: URL of bytes that are not shown; else empty
}

// download offers bytes as a file. Its type is always octet-stream, which no
// browser opens by itself: HTML, SVG, and PDF can contain scripts.
func (p *Part) download(raw []byte, mime string) {
	if len(raw) == 0 {
		return
	}
	p.Download = "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(raw)
	p.FileName = "content" + extension(mime)
}

// extension returns the file name extension for known types. It never uses text
// from the server.
func extension(mime string) string {
	known := map[string]string{
		"application/pdf": ".pdf", "application/json": ".json", "application/zip": ".zip",
		"text/plain": ".txt", "text/csv": ".csv",
		"text/html": ".html", "image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg",
	}
	if ext, ok := known[mime]; ok {
		return ext
	}
	return ".bin"
}

// Line is one member of structured content.
type Line struct{ Name, Value string }

// FinalOf returns the result of the call. The result of a task is inside its
// status.
func FinalOf(r playground.Round) *jsontree.Node {
	if r.Final != nil {
		return r.Final
	}
	return r.Result
}

// New returns the result of a complete Round of a call: content of a tool,
// messages of a prompt, or contents of a resource.
func New(c playground.Call, r playground.Round, s playground.Status) *Result {
	result := FinalOf(r)
	out := &Result{Heading: resultHeading(r, s), IsError: r.IsError, Status: s}
	for _, c := range result.Get("content").Elements() {
		out.Parts = append(out.Parts, contentPart(c))
	}
	for _, m := range result.Get("messages").Elements() {
		part := contentPart(m.Get("content"))
		part.Role = text.Visible(m.Get("role").Str(), 40)
		out.Parts = append(out.Parts, part)
	}
	for _, c := range result.Get("contents").Elements() {
		out.Parts = append(out.Parts, resourcePart(c))
	}
	out.structured(result.Get("structuredContent"))
	out.bound()
	out.check(c, r)
	return out
}

// maxParts is the most blocks of content that a page shows.
const maxParts = 200

// bound cuts the parts that are too long for a page. They are whole under Wire.
func (r *Result) bound() {
	if more := len(r.Parts) - maxParts; more > 0 {
		r.Parts = append(r.Parts[:maxParts:maxParts], Part{Kind: "other",
			About: text.Plural(more, "more part") + " of the content, not shown here"})
	}
	room := wireview.MaxBody
	for i := range r.Parts {
		r.Parts[i].Text = cutText(r.Parts[i].Text, room)
		room -= min(len(r.Parts[i].Text), room)
	}
	r.JSON = cutText(r.JSON, wireview.MaxBody)
}

// cutText returns a text, or its first n bytes and how much follows.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " … (" + text.Size(len(s)-n) + " more, not shown here)"
}

func resultHeading(r playground.Round, s playground.Status) string {
	switch {
	case s == playground.StatusDeclined:
		return "Declined"
	case s == playground.StatusCancelled:
		return "Cancelled"
	case r.IsError:
		return "The tool returned an error"
	}
	return "Done"
}

// maxResultText is the number of characters of a text that a result shows; the
// message has the rest.
const maxResultText = 128 << 10

func contentPart(n *jsontree.Node) Part {
	switch kind := n.Get("type").Str(); kind {
	case "text":
		return Part{Kind: "text", Text: text.Lines(n.Get("text").Str(), maxResultText)}
	case "image", "audio":
		return mediaPart(kind, n)
	case "resource_link":
		title := n.Get("title").Str()
		if title == "" {
			title = n.Get("name").Str()
		}
		return Part{
			Kind: "link", Text: text.Visible(title, 200), URI: text.Visible(n.Get("uri").Str(), 2048),
			About: text.Visible(n.Get("description").Str(), 400),
		}
	case "resource":
		return resourcePart(n.Get("resource"))
	default:
		return Part{
			Kind: "other", Text: text.Visible(string(n.Raw()), 4000), About: text.Visible(kind, 80),
		}
	}
}

// mediaPart shows images and audio from the message itself, if the type cannot
// run scripts (SVG can).
func mediaPart(kind string, n *jsontree.Node) Part {
	mime, data := n.Get("mimeType").Str(), n.Get("data").Str()
	part := Part{Kind: kind, Text: text.Visible(mime, 80)}
	raw, err := base64.StdEncoding.DecodeString(data)
	switch {
	case err != nil:
		part.Kind, part.About = "other", "not valid base64"
	case !passive(mime):
		part.Kind, part.About = "other", text.Size(len(raw))+
			", not shown because this type can contain scripts"
		part.download(raw, mime)
	default:
		part.About, part.Data = text.Size(len(raw)), "data:"+mime+";base64,"+data
	}
	return part
}

func passive(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif",
		"audio/wav", "audio/x-wav", "audio/mpeg", "audio/ogg", "audio/webm", "audio/mp4", "audio/flac":
		return true
	}
	return false
}

// resourcePart shows the text of a resource as plain text, regardless of its
// type.
func resourcePart(n *jsontree.Node) Part {
	part := Part{
		Kind: "file", URI: text.Visible(n.Get("uri").Str(), 2048),
		About: text.Visible(n.Get("mimeType").Str(), 80),
	}
	if content, ok := n.Get("text").Text(); ok {
		part.Text = text.Lines(content, maxResultText)
		return part
	}
	raw, _ := base64.StdEncoding.DecodeString(n.Get("blob").Str())
	part.About = strings.TrimPrefix(part.About+", "+text.Size(len(raw)), ", ")
	part.download(raw, n.Get("mimeType").Str())
	return part
}

func (r *Result) structured(n *jsontree.Node) {
	if n == nil {
		return
	}
	if n.Kind != jsontree.Object || n.Len() == 0 || n.Len() > 50 {
		r.JSON = text.Lines(string(n.Raw()), maxResultText)
		return
	}
	for _, m := range n.Members {
		value, isText := m.Value.Text()
		if !isText {
			value = string(m.Value.Raw())
		}
		r.Structured = append(r.Structured,
			Line{text.Visible(m.Key, 80), text.Visible(value, 1000)})
	}
}

// check judges the structured content by the output schema of the tool
// (server/tools, "Output Schema": servers MUST conform, clients SHOULD
// validate). A tool error needs no structured content.
func (r *Result) check(call playground.Call, round playground.Round) {
	tool, err := jsontree.Parse(call.Tool, jsontree.Limits{})
	if err != nil || !tool.Has("outputSchema") || round.IsError {
		return
	}
	content := FinalOf(round).Get("structuredContent")
	if content == nil {
		r.Output = Output{verdict.Failed, outputDiffers,
			[]string{"The tool has an output schema, but the result has no structuredContent."}}
		return
	}
	fit, err := form.Conforms(tool.Get("outputSchema").Raw(), content.Raw())
	switch {
	case err != nil:
		why := strings.TrimPrefix(err.Error(), form.ErrUnchecked.Error()+": ")
		r.Output = Output{verdict.NotJudged,
			"The structured content was not checked against the tool's output schema.", outputSentences(why)}
	case len(fit.Faults) > 0:
		r.Output = Output{verdict.Failed, outputDiffers, outputSentences(fit.Faults...)}
	case len(fit.Formats) > 0:
		r.Output = Output{verdict.Advisory,
			"The structured content fits the tool's output schema apart from formats, " +
				"which its dialect does not require.", outputSentences(fit.Formats...)}
	}
}

const outputDiffers = "The structured content does not match the tool's output schema."

// outputSentences returns clauses as sentences.
func outputSentences(clauses ...string) []string {
	var list []string
	for _, c := range clauses {
		list = append(list, text.Visible(strings.ToUpper(c[:1])+c[1:], 300)+".")
	}
	return list
}

// good reports whether the call reached its end with a success. A declined or
// cancelled call is neutral: neither good nor bad.
func (r Result) good() bool { return r.Ending() == narrate.Good }

// bad reports whether the call ended with an error.
func (r Result) bad() bool { return r.Ending() == narrate.Bad }

// Ending returns how the call ended with the result.
func (r Result) Ending() narrate.Ending {
	switch {
	case r.Judged:
		return narrate.NoEnding
	case r.Status == playground.StatusDeclined, r.Status == playground.StatusCancelled:
		return narrate.Neutral
	case r.IsError:
		return narrate.Bad
	}
	return narrate.Good
}
