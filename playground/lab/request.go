package lab

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// Members of _meta that every request must have (basic/index, "_meta").
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// changer is the type of Experiment.change.
type changer = func(wire.Request, Material) (wire.Request, error)

// setHeader returns a changer that replaces a standard header field, or removes
// it if value is empty.
func setHeader(name, value string) changer {
	return func(req wire.Request, _ Material) (wire.Request, error) {
		if name == "Mcp-Name" && !isNamed(req) {
			return req, ErrNothingToChange
		}
		req.Header = without(req.Header, name)
		if value == "" {
			req.Drop = append(slices.Clone(req.Drop), name)
			return req, nil
		}
		req.Header = append(req.Header, wire.Field{Name: name, Value: value})
		return req, nil
	}
}

// isNamed reports whether Mcp-Name is required for the request.
func isNamed(req wire.Request) bool {
	switch req.Method {
	case playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead,
		playground.TasksGet, playground.TasksUpdate, playground.TasksCancel:
		return true
	}
	return false
}

// without returns the fields that do not have this name.
func without(fields []wire.Field, name string) []wire.Field {
	return slices.DeleteFunc(slices.Clone(fields),
		func(f wire.Field) bool { return strings.EqualFold(f.Name, name) })
}

// replaceFields returns the fields with those of the same name as one of others
// replaced by others.
func replaceFields(fields, others []wire.Field) []wire.Field {
	for _, f := range others {
		fields = without(fields, f.Name)
	}
	return append(slices.Clone(fields), others...)
}

// changeMeta returns the request with a member of _meta replaced, or removed if
// its value is nil.
func changeMeta(req wire.Request, pair jsontree.Pair) (wire.Request, error) {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return req, err
	}
	meta, err := jsontree.Set(params.Get("_meta").Raw(), pair)
	if err != nil {
		return req, err
	}
	return withParams(req, jsontree.Pair{Key: "_meta", Value: meta})
}

// dropMeta returns a changer that removes a member of _meta, or _meta itself if
// member is empty. The headers stay unchanged, so that nothing else is wrong.
func dropMeta(member string) changer {
	return func(req wire.Request, _ Material) (wire.Request, error) {
		if member == "" {
			return withParams(req, jsontree.Pair{Key: "_meta"})
		}
		return changeMeta(req, jsontree.Pair{Key: member})
	}
}

// omitted are the capabilities that are left out one at a time, with a member that only an
// answer to a question that needs it has.
var omitted = []struct{ capability, member string }{
	{"elicitation", "action"}, {"sampling", "role"}, {"roots", "roots"},
}

// omissions counts the ways to leave out capabilities: all, and each of some.
func omissions(playground.Round) int { return 1 + len(omitted) }

// omitCapability declares no capabilities or, in another variant, all but one that the call
// needs besides others.
func omitCapability(req wire.Request, m Material) (wire.Request, error) {
	value := []byte("{}")
	if m.Variant > 0 {
		params, err := jsontree.Parse(req.Params, jsontree.Limits{})
		if err != nil {
			return req, err
		}
		declared, one := params.At("_meta", metaCapabilities), omitted[m.Variant-1]
		has := func(a playground.Answer) bool {
			node, _ := jsontree.Parse(a.Value, jsontree.Limits{})
			return node.Has(one.member)
		}
		needed := slices.ContainsFunc(m.Later, has)
		others := slices.ContainsFunc(m.Later, func(a playground.Answer) bool { return !has(a) })
		if !declared.Has(one.capability) || !needed || !others {
			return req, ErrNothingToChange
		}
		value = jsontree.ObjectOf(pairsBut(declared, one.capability)...)
	}
	return changeMeta(req, jsontree.Pair{Key: metaCapabilities, Value: value})
}

// pairsBut returns the members of an object but one.
func pairsBut(object *jsontree.Node, name string) []jsontree.Pair {
	var list []jsontree.Pair
	for _, m := range object.Members {
		if m.Key != name {
			list = append(list, jsontree.Pair{Key: m.Key, Value: m.Value.Raw()})
		}
	}
	return list
}

// oldVersion changes the version in _meta. wire.Encode derives the header from
// it.
func oldVersion(req wire.Request, _ Material) (wire.Request, error) {
	return changeMeta(req, jsontree.Pair{Key: metaVersion, Value: []byte(`"1900-01-01"`)})
}

// unknownMethod changes the method and removes all params but _meta.
// wire.Encode derives the headers from the result.
func unknownMethod(req wire.Request, _ Material) (wire.Request, error) {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return req, err
	}
	req.Method, req.Params = "playground/no-such-method", nil
	req.Header = slices.DeleteFunc(slices.Clone(req.Header), isHeaderParam)
	return withParams(req, jsontree.Pair{Key: "_meta", Value: params.Get("_meta").Raw()})
}

// malformedJSON removes the last byte of the body.
func malformedJSON(req wire.Request, _ Material) (wire.Request, error) {
	frame, err := wire.Encode(req)
	if err != nil {
		return req, err
	}
	body := bytes.TrimSuffix(frame.Body, []byte("\n")) // of a line
	req.Body = body[:len(body)-1]
	return req, nil
}

// reuseID sets the id to that of the request before.
func reuseID(req wire.Request, m Material) (wire.Request, error) {
	id := m.Round.Sent.Get("id")
	if id == nil {
		return req, ErrNothingToChange
	}
	req.ID = id.Raw()
	return req, nil
}
