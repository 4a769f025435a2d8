package serve

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

// property is the subset of JSON Schema that a requestedSchema may use
// (client/elicitation, requested schema), a flat object of primitive properties, with
// objects and lists, which arguments may have. The schemas are part of the samples;
// only the content comes from clients.
type property struct {
	Type       string              `json:"type"`
	Title      string              `json:"title"`
	Format     string              `json:"format"`
	MinLength  float64             `json:"minLength"`
	MaxLength  *float64            `json:"maxLength"`
	Minimum    *float64            `json:"minimum"`
	Maximum    *float64            `json:"maximum"`
	Enum       []string            `json:"enum"`
	OneOf      []titled            `json:"oneOf"`
	AnyOf      []titled            `json:"anyOf"` // of the items of a list
	MinItems   float64             `json:"minItems"`
	MaxItems   *float64            `json:"maxItems"`
	Items      *property           `json:"items"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
	Additional json.RawMessage     `json:"additionalProperties"` // a schema, or true or false
}

type titled struct {
	Const string `json:"const"`
}

// CheckContent returns the fault of a form's content, in words for the user, or
// "". It removes members that the form did not ask for.
func CheckContent(raw json.RawMessage, content map[string]any) string {
	var s property
	if err := json.Unmarshal(raw, &s); err != nil {
		return "The server cannot read the schema of this form."
	}
	for name := range content {
		if _, ok := s.Properties[name]; !ok {
			delete(content, name)
		}
	}
	if name, fault := s.memberProblem(content); fault != "" {
		return fmt.Sprintf("%q %s.", name, fault)
	}
	return ""
}

// memberProblem returns the name of a wrong member of an object, and its fault;
// or "".
func (p property) memberProblem(content map[string]any) (name, fault string) {
	for _, name := range p.Required {
		if _, ok := content[name]; !ok {
			return name, "is missing"
		}
	}
	var others *property
	if json.Unmarshal(p.Additional, &others) != nil {
		others = nil // true or false, or absent
	}
	for name, value := range content {
		of, ok := p.Properties[name]
		if !ok && others == nil {
			continue
		}
		if !ok {
			of = *others
		}
		if fault := of.problem(value); fault != "" {
			return name, fault
		}
	}
	return "", ""
}

// problem returns the fault of a value, or "".
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
	case map[string]any:
		if p.Type == "object" {
			return p.objectProblem(v)
		}
	}
	return "is not of type " + p.Type
}

func (p property) textProblem(s string) string {
	n := float64(utf8.RuneCountInString(s))
	switch choices := choices(p.Enum, p.OneOf); {
	case choices != nil && !slices.Contains(choices, s):
		return "is not one of the choices"
	case n < p.MinLength:
		return fmt.Sprintf("is shorter than %v characters", p.MinLength)
	case p.MaxLength != nil && n > *p.MaxLength:
		return fmt.Sprintf("is longer than %v characters", *p.MaxLength)
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
	noun := "entries"
	if p.Items != nil && choices(p.Items.Enum, p.Items.AnyOf) != nil {
		noun = "choices"
	}
	for _, v := range list {
		if fault := p.Items.entryProblem(v); fault != "" {
			return fault
		}
	}
	switch n := float64(len(list)); {
	case n < p.MinItems:
		return fmt.Sprintf("needs at least %v %s", p.MinItems, noun)
	case p.MaxItems != nil && n > *p.MaxItems:
		return fmt.Sprintf("takes at most %v %s", *p.MaxItems, noun)
	}
	return ""
}

// entryProblem returns the fault of an entry of a list, or "".
func (p *property) entryProblem(value any) string {
	if p == nil {
		return ""
	}
	if all := choices(p.Enum, p.AnyOf); all != nil {
		if s, ok := value.(string); !ok || !slices.Contains(all, s) {
			return "has an entry that is not one of the choices"
		}
		return ""
	}
	if fault := p.problem(value); fault != "" {
		return "has an entry that " + fault
	}
	return ""
}

func (p property) objectProblem(object map[string]any) string {
	if name, fault := p.memberProblem(object); fault != "" {
		return fmt.Sprintf("has a member %q that %s", name, fault)
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
