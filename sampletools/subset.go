package sampletools

import (
	"encoding/json"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"
)

// schema is the subset of JSON Schema that a requestedSchema may use
// (client/elicitation, requested schema): a flat object of primitive
// properties. The schemas are part of the samples; only the content comes from
// clients.
type schema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

type property struct {
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Format    string   `json:"format"`
	MinLength int      `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	Enum      []string `json:"enum"`
	OneOf     []titled `json:"oneOf"`
	MinItems  int      `json:"minItems"`
	MaxItems  *int     `json:"maxItems"`
	Items     struct {
		Enum  []string `json:"enum"`
		AnyOf []titled `json:"anyOf"`
	} `json:"items"`
}

type titled struct {
	Const string `json:"const"`
}

// checkContent returns what is wrong with a form's content, in words for the
// user, or "". It removes members that the form did not ask for.
func checkContent(raw json.RawMessage, content map[string]any) string {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return "The server cannot read the schema of this form."
	}
	for name := range content {
		if _, ok := s.Properties[name]; !ok {
			delete(content, name)
		}
	}
	for _, name := range s.Required {
		if _, ok := content[name]; !ok {
			return fmt.Sprintf("%q is missing.", name)
		}
	}
	for name, value := range content {
		if fault := s.Properties[name].problem(value); fault != "" {
			return fmt.Sprintf("%q %s.", name, fault)
		}
	}
	return ""
}

// problem returns what is wrong with a value, or "".
func (p property) problem(value any) string {
	switch v := value.(type) {
	case string:
		if p.Type == "string" {
			return p.textProblem(v)
		}
	case float64:
		if p.Type == "number" || p.Type == "integer" {
			return p.numberProblem(v)
		}
	case bool:
		if p.Type == "boolean" {
			return ""
		}
	case []any:
		if p.Type == "array" {
			return p.listProblem(v)
		}
	}
	return "is not of type " + p.Type
}

func (p property) textProblem(s string) string {
	n := utf8.RuneCountInString(s)
	switch choices := choices(p.Enum, p.OneOf); {
	case choices != nil && !slices.Contains(choices, s):
		return "is not one of the choices"
	case n < p.MinLength:
		return fmt.Sprintf("is shorter than %d characters", p.MinLength)
	case p.MaxLength != nil && n > *p.MaxLength:
		return fmt.Sprintf("is longer than %d characters", *p.MaxLength)
	case !hasFormat(p.Format, s):
		return "is not a valid " + p.Format
	}
	return ""
}

func (p property) numberProblem(f float64) string {
	switch {
	case p.Type == "integer" && f != math.Trunc(f):
		return "is not a whole number"
	case p.Minimum != nil && f < *p.Minimum:
		return fmt.Sprintf("is less than %v", *p.Minimum)
	case p.Maximum != nil && f > *p.Maximum:
		return fmt.Sprintf("is greater than %v", *p.Maximum)
	}
	return ""
}

func (p property) listProblem(list []any) string {
	all := choices(p.Items.Enum, p.Items.AnyOf)
	for _, v := range list {
		if s, ok := v.(string); !ok || !slices.Contains(all, s) {
			return "has an entry that is not one of the choices"
		}
	}
	switch {
	case len(list) < p.MinItems:
		return fmt.Sprintf("needs at least %d choices", p.MinItems)
	case p.MaxItems != nil && len(list) > *p.MaxItems:
		return fmt.Sprintf("takes at most %d choices", *p.MaxItems)
	}
	return ""
}

func choices(enum []string, of []titled) []string {
	for _, t := range of {
		enum = append(enum, t.Const)
	}
	return enum
}

// hasFormat reports whether s has the format. Unknown formats accept any
// string.
func hasFormat(format, s string) bool {
	var err error
	switch format {
	case "email":
		var a *mail.Address
		a, err = mail.ParseAddress(s)
		return err == nil && a.Address == s
	case "uri":
		var u *url.URL
		u, err = url.Parse(s)
		return err == nil && u.IsAbs()
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, s)
	}
	return err == nil
}
