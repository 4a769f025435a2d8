package lab

import (
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

type changer = func(wire.Request, Material) (wire.Request, error)

// setHeader replaces a standard header field; without a value it is left out.
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
	case playground.ToolsCall, playground.PromptsGet, playground.ResourcesRead:
		return true
	}
	return false
}

func without(fields []wire.Field, name string) []wire.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f wire.Field) bool { return strings.EqualFold(f.Name, name) })
}

func replaceFields(fields, by []wire.Field) []wire.Field {
	for _, f := range by {
		fields = without(fields, f.Name)
	}
	return append(slices.Clone(fields), by...)
}

// changeMeta replaces or, without a value, removes a member of _meta.
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

// dropMeta removes a member of _meta, or all of it. The headers stay as they
// were, so that only this is wrong.
func dropMeta(member string) changer {
	return func(req wire.Request, _ Material) (wire.Request, error) {
		if member == "" {
			return withParams(req, jsontree.Pair{Key: "_meta"})
		}
		return changeMeta(req, jsontree.Pair{Key: member})
	}
}

func omitCapability(req wire.Request, _ Material) (wire.Request, error) {
	return changeMeta(req, jsontree.Pair{Key: metaCapabilities, Value: []byte("{}")})
}

// oldVersion changes _meta; the header follows from it.
func oldVersion(req wire.Request, _ Material) (wire.Request, error) {
	return changeMeta(req, jsontree.Pair{Key: metaVersion, Value: []byte(`"1900-01-01"`)})
}

// unknownMethod calls it with nothing but _meta; the headers follow from that.
func unknownMethod(req wire.Request, _ Material) (wire.Request, error) {
	params, err := jsontree.Parse(req.Params, jsontree.Limits{})
	if err != nil {
		return req, err
	}
	req.Method, req.Params, req.Header = "playground/no-such-method", nil, slices.DeleteFunc(slices.Clone(req.Header), isHeaderParam)
	return withParams(req, jsontree.Pair{Key: "_meta", Value: params.Get("_meta").Raw()})
}

// malformedJSON cuts the last byte off the body that would have been sent.
func malformedJSON(req wire.Request, _ Material) (wire.Request, error) {
	frame, err := wire.Encode(req)
	if err != nil {
		return req, err
	}
	req.Body = frame.Body[:len(frame.Body)-1]
	return req, nil
}

func reuseID(req wire.Request, m Material) (wire.Request, error) {
	id := m.Round.Sent.Get("id")
	if id == nil {
		return req, ErrNothingToChange
	}
	req.ID = id.Raw()
	return req, nil
}
