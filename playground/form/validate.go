package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
	"github.com/mrtr-playground/mrtr-playground/playground/text"
)

// schemaURL names the schema for the validator. Nothing is read from it. It has a path,
// so that a relative reference leads to another document.
const schemaURL = "https://schema.invalid/"

// noLoader returns an error for every URL: a schema must not make this program
// read a file or send a request.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("schemas are not fetched: " + text.Visible(url, 100))
}

// Unchecked returns why answers cannot be checked against the whole schema, as
// words after a colon, or "" if they can: a dialect that is not supported, a reference
// that cannot be followed (basic/index, "Schema Dialect" and "$ref
// Resolution"), a broken schema, or one that costs too much. The constraints
// that fields show are checked in any case.
func (f Form) Unchecked() string {
	if f.plain {
		return ""
	}
	empty, err := jsontree.Parse([]byte("{}"), jsontree.Limits{})
	if err == nil {
		_, err = validator(f.schema, empty, asserted)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// violations returns the problems that the JSON Schema validator finds. There
// are none if the schema is broken or too costly, which is not the user's
// fault. Those that only say that parts with known problems do not match are
// left out.
func (f Form) violations(content json.RawMessage, known []Problem) []Problem {
	node, err := jsontree.Parse(content, jsontree.Limits{})
	if err != nil {
		return nil
	}
	schema, err := validator(f.schema, node, asserted)
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
	return f.problems(invalid, known)
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

// formats is how a compiled schema takes the keyword format.
type formats bool

const (
	asserted formats = true  // in every dialect: what a form asks a person for
	declared formats = false // as the dialect says: an annotation, in each of dialects
)

// validator returns the compiled schema, if validating value does not cost too
// much.
func validator(schema []byte, value *jsontree.Node, how formats) (*jsonschema.Schema, error) {
	root, err := jsontree.Parse(schema, jsontree.Limits{})
	if err != nil {
		return nil, err
	}
	if err := checkSize(root, value); err != nil {
		return nil, err
	}
	s, err := compiled(schema, how)
	if err != nil {
		return nil, err
	}
	return s, checkCost(root, value)
}

func compile(schema []byte, how formats) (s *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("compile schema: %v", r)
		}
	}()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	if err := checkDialect(doc); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(engine)
	if how == asserted {
		c.AssertFormat()
	} else {
		annotate(c, doc)
	}
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, err
	}
	if s, err = c.Compile(schemaURL); err != nil {
		return nil, compileError(err)
	}
	return s, nil
}

// annotate makes every format of a schema one that all values have. The validator asserts
// those of dialects before 2019-09, where that is only allowed (JSON Schema Validation,
// draft-07, section 7.2).
func annotate(c *jsonschema.Compiler, schema any) {
	switch v := schema.(type) {
	case []any:
		for _, item := range v {
			annotate(c, item)
		}
	case map[string]any:
		if name, ok := v["format"].(string); ok {
			c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
		}
		for _, member := range v {
			annotate(c, member)
		}
	}
}

// compileError says why a schema cannot be used.
func compileError(err error) error {
	var far *jsonschema.LoadURLError
	if errors.As(err, &far) {
		return fmt.Errorf("it refers to another document, which is not fetched: %s",
			text.Visible(strings.TrimPrefix(far.URL, schemaURL), 100))
	}
	var (
		lost     *jsonschema.JSONPointerNotFoundError
		noAnchor *jsonschema.AnchorNotFoundError
	)
	if errors.As(err, &lost) || errors.As(err, &noAnchor) {
		return errors.New("it has a reference that leads nowhere")
	}
	return errors.New("it is not valid JSON Schema")
}

// address2020 is the dialect 2020-12 as dialects has it.
const address2020 = "json-schema.org/draft/2020-12/schema"

// dialects are the values of $schema that are supported, without the scheme and
// an empty fragment. Without $schema, a schema has the first one.
var dialects = []string{
	address2020,
	"json-schema.org/draft/2019-09/schema",
	"json-schema.org/draft-07/schema",
	"json-schema.org/draft-06/schema",
	"json-schema.org/draft-04/schema",
}

// checkDialect returns an error if the schema declares a dialect that is not
// supported.
func checkDialect(doc any) error {
	root, _ := doc.(map[string]any)
	dialect, declared := root["$schema"].(string)
	if declared && !supported(dialect) {
		return fmt.Errorf("it has the dialect %s, which is not supported", text.Visible(dialect, 100))
	}
	return nil
}

func supported(dialect string) bool {
	_, address, _ := strings.Cut(strings.TrimSuffix(dialect, "#"), "://")
	return slices.Contains(dialects, address)
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
