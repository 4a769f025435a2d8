package form

import (
	"net/url"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// resolve follows a reference inside the schema: "#" or a JSON Pointer in a
// fragment (RFC 6901, section 6). Anything else is nil; nothing is fetched.
func resolve(root *jsontree.Node, ref string) *jsontree.Node {
	path, inside := strings.CutPrefix(ref, "#")
	if !inside {
		return nil
	}
	path, err := url.PathUnescape(path)
	if err != nil || path != "" && path[0] != '/' {
		return nil
	}
	if path == "" {
		return root
	}
	tokens := strings.Split(path[1:], "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return root.At(tokens...)
}

// nodes lists the values of an array or of an object's members.
func nodes(n *jsontree.Node) []*jsontree.Node {
	list := n.Elements()
	for _, m := range n.Entries() {
		list = append(list, m.Value)
	}
	return list
}
