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
)

// place is where the schema stands for the validator. Nothing is ever read
// from it or from anywhere else, see nowhere.
const place = "urn:schema"

// nowhere refuses to load: a schema of a stranger must not make this program
// read a file or an address.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) {
	return nil, errors.New("schemas are not fetched: " + clip(url, 100))
}

// Unchecked says why content cannot be held against the whole schema; empty
// when it can. The constraints that fields show are checked all the same.
func (f Form) Unchecked(content json.RawMessage) string {
	if _, err := f.compile(content); err != nil {
		return err.Error()
	}
	return ""
}

// violations asks the JSON Schema validator. A schema that is broken or too
// costly gives none: it is the server's mistake, not that of the person who
// filled in the form.
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

// evaluate guards against a panic of the validator, which strangers feed on
// both sides: it counts as "could not be checked".
func evaluate(schema *jsonschema.Schema, value any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("validate: %v", r)
		}
	}()
	return schema.Validate(value)
}

// compile prepares the schema for the validator, after the estimate has said
// that content can be validated at a fair price.
func (f Form) compile(content []byte) (*jsonschema.Schema, error) {
	root, err := jsontree.Parse(f.schema, jsontree.Limits{})
	if err != nil {
		return nil, err
	}
	value, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil {
		return nil, err
	}
	if err := affordable(root, value); err != nil {
		return nil, err
	}
	return compile(f.schema)
}

func compile(schema []byte) (s *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the schema cannot be used: %v", r)
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	dropUnknownDialect(doc)
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	c.UseRegexpEngine(engine)
	c.AssertFormat()
	if err := c.AddResource(place, doc); err != nil {
		return nil, err
	}
	if s, err = c.Compile(place); err != nil {
		return nil, errors.New("the schema itself is not valid JSON Schema")
	}
	return s, nil
}

// dropUnknownDialect removes a $schema that the validator would have to fetch;
// the schema is then read as draft 2020-12, the protocol's default.
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

// anything stands for a pattern that Go cannot run, such as a look-ahead: it
// is shown to the person but not enforced.
type anything string

func (anything) MatchString(string) bool { return true }

func (a anything) String() string { return string(a) }

// engine uses Go's regexp, whose time is linear in the text.
func engine(pattern string) (jsonschema.Regexp, error) {
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	return anything(pattern), nil
}
