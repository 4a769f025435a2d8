package rules

import (
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
// of a Round on its own, to be added to one about a fault in it. It returns "" for
// any other response.
func OfLibrary(r playground.Round) string {
	if hasNullContent(r) || r.Error == nil && isOfGoSDK(string(r.Response.Body)) {
		return " go-sdk v1.8.0 sends this on its own, whatever the code of the server does."
	}
	return ""
}

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
