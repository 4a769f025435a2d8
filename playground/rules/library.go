package rules

import (
	"regexp"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// goSDK are the beginnings of bodies that go-sdk v1.8.0 sends as plain text,
// before the code of a server runs.
var goSDK = []string{
	"Bad Request: Unsupported protocol version (supported versions: ", "malformed payload: ",
}

// OfLibrary returns a sentence about a library that is known to send the response
// of a Round on its own, to be added to one about a fault in it. It names the
// remedy. It returns "" for any other response.
func OfLibrary(r playground.Round) string {
	if hasNullContent(r) || r.Error == nil && isOfGoSDK(string(r.Response.Body)) {
		return " go-sdk v1.8.0 sends this on its own. " +
			"The Go server of the lesson Build your own shows what to put around the SDK."
	}
	return ""
}

// DropsAnswers returns a sentence for a response to a malformed answer that looks
// as if the TypeScript SDK sent it: the SDK drops such an answer before the code
// of a server sees it. It returns "" for any other response.
func DropsAnswers(r playground.Round) string {
	if r.Result == nil || !endsAsTypeScript.Match(r.Response.Body) {
		return ""
	}
	return " The response looks like one of @modelcontextprotocol/server 2.4.0. " +
		"It drops a malformed answer; ctx.mcpReq.droppedInputResponseKeys has its key."
}

// endsAsTypeScript matches the end of a response of the TypeScript SDK, which
// writes the members jsonrpc and id last.
var endsAsTypeScript = regexp.MustCompile(`^\{"result":\{.*\},"jsonrpc":"2\.0","id":[^{}\[\],]+\}\s*$`)

// hasNullContent reports whether an input_required result has "content":null, as
// the struct of go-sdk makes it.
func hasNullContent(r playground.Round) bool {
	content := r.Result.Get("content")
	return r.Result.Get("resultType").Str() == "input_required" && content != nil &&
		content.Kind == jsontree.Null
}

func isOfGoSDK(body string) bool {
	for _, start := range goSDK {
		if strings.HasPrefix(body, start) {
			return true
		}
	}
	return false
}
