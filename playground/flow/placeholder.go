package flow

import (
	"cmp"
	"encoding/json"
	"math"
	"strings"
)

// formatExamples are values of the formats that client/elicitation allows.
var formatExamples = map[string]string{
	"email": "ada@example.com", "uri": "https://example.com/", "date": "2026-07-28",
	"date-time": "2026-07-28T12:00:00Z",
}

// limits are the keywords of a schema that a placeholder keeps.
type limits struct {
	Format               string
	MinLength, MaxLength *float64
	Minimum, Maximum     *float64
	MinItems             float64
}

// placeholder returns a value that the field allows. The server uses the same.
func (f Field) placeholder() any {
	var l limits
	_ = json.Unmarshal(f.Schema, &l) // it was read from numbers and texts
	switch f.Kind {
	case Choice:
		return f.Values[0]
	case Choices:
		list := []any{f.Values[0]}
		for i := 1; i < min(int(min(l.MinItems, maxChoices)), len(f.Values)); i++ {
			list = append(list, f.Values[i])
		}
		return list
	case NumberField:
		return l.number()
	case IntegerField:
		return math.Ceil(l.number())
	case YesNo:
		return true
	case Object:
		return exampleOf(f.Fields)
	case List:
		list := []any{}
		for range int(min(l.MinItems, maxChoices)) {
			list = append(list, f.Item.placeholder())
		}
		return list
	case Table:
		return map[string]any{}
	}
	return cmp.Or(formatExamples[l.Format], l.text())
}

func (l limits) number() float64 {
	n := 1.0
	if l.Maximum != nil {
		n = min(n, *l.Maximum)
	}
	if l.Minimum != nil {
		n = max(n, *l.Minimum)
	}
	return n
}

func (l limits) text() string {
	word := "example"
	if l.MinLength != nil {
		if n := int(min(*l.MinLength, maxText)); n > len(word) {
			word = strings.Repeat(word, n/len(word)+1)[:n]
		}
	}
	if l.MaxLength != nil {
		word = word[:min(len(word), int(max(0, min(*l.MaxLength, maxText))))]
	}
	return word
}
