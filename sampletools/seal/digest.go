package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Digest returns a hash of a call's arguments that does not depend on their
// spelling: members are sorted, and 1, 1.0 and 1e0 are the same number, since a
// client may encode the params anew in each round. Missing arguments, null and
// {} have the same digest.
func Digest(arguments json.RawMessage) (string, error) {
	v := any(map[string]any{})
	if len(arguments) > 0 {
		d := json.NewDecoder(bytes.NewReader(arguments))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return "", fmt.Errorf("digest arguments: %w", err)
		}
	}
	if v == nil {
		v = map[string]any{}
	}
	canonical, err := json.Marshal(normal(v)) // encoding/json sorts the keys of a map
	if err != nil {
		return "", fmt.Errorf("digest arguments: %w", err)
	}
	sum := sha256.Sum256(canonical)
	return "sha256:" + base64.RawURLEncoding.EncodeToString(sum[:]), nil
}

// normal replaces every number in v by its canonical spelling.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case json.Number:
		return number(v)
	}
	return v
}

// number returns one spelling for numbers that a float64 represents exactly.
// Integers beyond 2^53 keep their digits: rounding would give different
// arguments the same digest.
func number(n json.Number) json.Number {
	f, err := n.Float64()
	if err != nil || math.Abs(f) >= 1<<53 {
		return n
	}
	if f == 0 {
		f = 0 // no negative zero
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}
