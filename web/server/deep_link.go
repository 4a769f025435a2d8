package server

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/app"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/share"
	serverview "github.com/mrtr-playground/mrtr-playground/views/server"
)

// Limits of a link that fills in a form.
const (
	maxLinkURL  = 2048
	maxLinkTool = 200
	maxLinkArgs = 16 << 10
)

// readLink reads a link that fills in the form of a server. Links may come from
// an attacker: everything but a server and a call is refused, and so are
// secrets.
func readLink(q url.Values) (serverview.ConnectForm, error) {
	form := serverview.ConnectForm{
		URL: q.Get("url"), Tool: q.Get("tool"), Args: q.Get("args"),
		Declared: serverview.NewDeclared(app.Declared()),
	}
	switch {
	case len(form.URL) > maxLinkURL, len(form.Tool) > maxLinkTool, len(form.Args) > maxLinkArgs,
		strings.ContainsFunc(form.URL+form.Tool, unicode.IsControl),
		!isWebAddress(form.URL), !isArguments(form.Args):
		return form, app.Refuse(http.StatusBadRequest, "bad_link", "This link is not valid.",
			"It needs the URL of a server, the name of a tool, and the arguments as a JSON object.")
	case carriesSecret(form.URL, form.Args):
		return form, app.Refuse(http.StatusBadRequest, "secret_in_link",
			"This link contains something that looks like a secret.",
			"Secrets in links end up in browser histories and logs. "+
				"Ask for a link without it, and enter the secret on the page of the server.")
	}
	return form, nil
}

// isWebAddress reports whether a text can be the URL of a server: without a
// scheme, or with http or https.
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

// carriesSecret reports whether a link contains a secret. Text that only looks
// like a randomly generated token does not count: ids look the same.
func carriesSecret(address, args string) bool {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		return true
	}
	found := append(share.Scan(address), share.Scan(args)...)
	return slices.ContainsFunc(found, func(f share.Finding) bool { return !f.Random })
}
