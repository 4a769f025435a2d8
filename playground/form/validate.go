package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// schemaURL names the schema for the validator. Nothing is read from it.
const schemaURL = "urn:schema"

// noLoader returns an error for every URL: a schema must not make this program
// read a file or send a request.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("schemas are not fetched: " + text.Visible(url, 100))
}

// Unchecked returns why content cannot be checked against the whole schema, or
// "" if it can. The constraints that fields show are always checked.
func (f Form) Unchecked(content json.RawMessage) string {
	if _, err := f.compile(content); err != nil {
		return err.Error()
	}
	return ""
}

// violations returns the problems that the JSON Schema validator finds. There
// are none if the schema is broken or too costly, which is not the user's
// fault.
func (f Form) violations(content json.RawMessage) []Problem {
	schema, err := f.compile(content)
	if err != nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(evaluate(schema, value), &invalid) {
		return nil
	}
	return f.problems(invalid)
}

// evaluate validates value and turns a panic of the validator into an error,
// because neither schema nor value is trusted.
func evaluate(schema *jsonschema.Schema, value any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("validate: %v", r)
		}
	}()
	return schema.Validate(value)
}

// compile compiles the schema, if validating content does not cost too much.
func (f Form) compile(content []byte) (*jsonschema.Schema, error) {
	root, err := jsontree.Parse(f.schema, jsontree.Limits{})
	if err != nil {
		return nil, err
	}
	value, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil {
		return nil, err
	}
	if err := checkCost(root, value); err != nil {
		return nil, err
	}
	return compile(f.schema)
}

func compile(schema []byte) (s *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("compile schema: %v", r)
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	dropUnknownDialect(doc)
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(engine)
	c.AssertFormat()
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	if s, err = c.Compile(schemaURL); err != nil {
		return nil, errors.New("the schema is not valid JSON Schema")
	}
	return s, nil
}

// dropUnknownDialect removes a $schema that the validator would have to fetch.
// The schema then has the protocol's default dialect, draft 2020-12.
func dropUnknownDialect(doc any) {
	root, ok := doc.(map[string]any)
	if !ok {
		return
	}
	dialect, _ := root["$schema"].(string)
	_, address, _ := strings.Cut(dialect, "://")
	if !strings.HasPrefix(address, "json-schema.org/") {
		delete(root, "$schema")
	}
}

// unenforced is a pattern that Go cannot compile, such as a look-ahead. It is
// shown to the user and matches every string.
type unenforced string

func (unenforced) MatchString(string) bool { return true }

func (p unenforced) String() string { return string(p) }

// engine compiles a pattern with Go's regexp, whose time is linear in the text.
func engine(pattern string) (jsonschema.Regexp, error) {
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	return unenforced(pattern), nil
}
