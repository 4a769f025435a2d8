package jsontree

import (
	"math/big"
	"strings"
	"testing"
)

func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "-0": true, "-1.50e+3": true, "1e999999999": true,
		"": false, "-": false, "+1": false, "01": false, ".5": false, "5.": false, "1e": false, " 1": false,
		"1 ":  false,
		"1,2": false, "NaN": false, "0x1": false,
	} {
		if _, ok := ParseDecimal(text); ok != want {
			t.Errorf("ParseDecimal(%q): %v", text, ok)
		}
	}
}

func TestDecimal_Cmp(t *testing.T) {
	huge := "9" + strings.Repeat("0", 20)
	ascending := []string{
		"-1e" + huge, "-1e999999999", "-10", "-9.5", "-1e-999999999", "-1e-" + huge, "0",
		"1e-" + huge, "1e-999999999", "0.1", "0.12", "1", "1.0000000000000000001", "9007199254740993",
		"1e999999999", "1e" + huge,
	}
	for i, a := range ascending {
		for j, b := range ascending {
			x, _ := ParseDecimal(a)
			y, _ := ParseDecimal(b)
			if got, want := x.Cmp(y), min(max(i-j, -1), 1); got != want {
				t.Errorf("%s cmp %s = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestDecimal_IsInt(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "0.0": true, "3.0": true, "30e-1": true, "1e999999999": true, "0.5": false,
		"1e-999999999": false, "12.50": false,
	} {
		if d, _ := ParseDecimal(text); d.IsInt() != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

func TestBounded(t *testing.T) {
	for text, want := range map[string]bool{
		"1": true, "1e400": true, "1e1000": true, "1e-1000": true, "1E+1000": true,
		"1e1001": false, "1e-1001": false, "1e999999999": false, "1e" + strings.Repeat("9", 30): false,
		strings.Repeat("1", 1000): true, strings.Repeat("1", 1001): false,
	} {
		if Bounded(text) != want {
			t.Errorf("%.20s: %v", text, !want)
		}
	}
}

// FuzzDecimal: comparing agrees with exact fractions.
func FuzzDecimal(f *testing.F) {
	f.Add("1.50", "15e-1")
	f.Add("-0", "0.00e5")
	f.Add("1e400", "10e399")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok := ParseDecimal(a)
		y, also := ParseDecimal(b)
		if !ok || !also || !Bounded(a) || !Bounded(b) {
			return
		}
		r, s := new(big.Rat), new(big.Rat)
		r.SetString(a)
		s.SetString(b)
		if got, want := x.Cmp(y), r.Cmp(s); got != want {
			t.Errorf("%s cmp %s = %d, want %d", a, b, got, want)
		}
		if x.IsInt() != r.IsInt() {
			t.Errorf("%s is int: %v", a, x.IsInt())
		}
	})
}
