package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	"github.com/mrtr-playground/mrtr-playground/views"
)

// Bounds of a link that fills in a form.
const (
	maxLinkURL  = 2048
	maxLinkTool = 200
	maxLinkArgs = 16 << 10
)

// readLink reads a link that fills in the form of a server and waits. Whoever
// made it may mean harm: what could do something else than name a server and a
// call is refused, and so is what should never stand in a link.
func readLink(q url.Values) (views.ConnectForm, error) {
	form := views.ConnectForm{URL: q.Get("url"), Tool: q.Get("tool"), Args: q.Get("args"), Declared: views.NewDeclared(declared())}
	switch {
	case len(form.URL) > maxLinkURL, len(form.Tool) > maxLinkTool, len(form.Args) > maxLinkArgs,
		strings.ContainsFunc(form.URL+form.Tool, unicode.IsControl), !isWebAddress(form.URL), !isArguments(form.Args):
		return form, refuse(http.StatusBadRequest, "bad_link", "This link does not name a server and a call.",
			"It needs a web address, the name of a tool and its arguments as a JSON object.")
	case carriesSecret(form.URL, form.Args):
		return form, refuse(http.StatusBadRequest, "secret_in_link", "This link carries something that looks like a secret.",
			"Secrets in links end up in histories and logs. Ask for a link without it, and give the secret on the page of the server.")
	}
	return form, nil
}

// isWebAddress reports whether a text can be an address of a server, as people
// write it: without a scheme, or with one of the two.
func isWebAddress(text string) bool {
	scheme, rest, has := strings.Cut(text, ":")
	if !has || strings.ContainsAny(scheme, "./[") {
		return true
	}
	port, _, _ := strings.Cut(rest, "/")
	isPort := port != "" && strings.Trim(port, "0123456789") == ""
	return isPort || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

func isArguments(text string) bool {
	if text == "" {
		return true
	}
	n, err := jsontree.Parse([]byte(text), jsontree.Limits{})
	return err == nil && n.Kind == jsontree.Object
}

// carriesSecret ignores findings that only look random, as ids do.
func carriesSecret(address, args string) bool {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		return true
	}
	found := append(share.Scan(address), share.Scan(args)...)
	return slices.ContainsFunc(found, func(f share.Finding) bool { return !f.Random })
}
