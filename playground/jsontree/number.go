package jsontree

import (
	"strconv"
	"strings"
)

// decimal is the value of a JSON number as ±0.d₁d₂d₃… × 10^exp, with no zero at
// either end of the digits: one form per value, without the arithmetic that
// would let 1e999999999 fill the memory.
type decimal struct {
	negative bool
	digits   string // empty for zero
	exp      int64
	text     string // instead of the rest, when the exponent has more than 17 digits
}

// decimalOf reads a number that scanNumber has accepted.
func decimalOf(raw []byte) decimal {
	var d decimal
	text := string(raw)
	if d.negative = text[0] == '-'; d.negative {
		text = text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exp = int64(len(whole) - (len(all) - len(d.digits)))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	sign, exponent := signOf(exponent)
	if len(exponent) > 17 {
		return decimal{text: string(raw)}
	}
	e, _ := strconv.ParseInt("0"+exponent, 10, 64)
	d.exp += sign * e
	return d
}

func signOf(exponent string) (sign int64, digits string) {
	sign = 1
	if strings.HasPrefix(exponent, "-") {
		sign = -1
	}
	return sign, strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")
}

func (d decimal) int64() (int64, bool) {
	if d == (decimal{}) {
		return 0, true
	}
	// No int64 has more than 19 digits, and none before the point is a fraction.
	if d.text != "" || d.exp > 19 || d.exp < int64(len(d.digits)) {
		return 0, false
	}
	text := d.digits + strings.Repeat("0", int(d.exp)-len(d.digits))
	if d.negative {
		text = "-" + text
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}

// append writes whole numbers of up to 21 digits as such (as JavaScript does),
// everything else as 0.digits with an exponent.
func (d decimal) append(out []byte) []byte {
	switch {
	case d.text != "":
		return append(out, d.text...)
	case d.digits == "":
		return append(out, '0')
	}
	if d.negative {
		out = append(out, '-')
	}
	if d.exp <= 21 && d.exp >= int64(len(d.digits)) {
		out = append(out, d.digits...)
		return append(out, strings.Repeat("0", int(d.exp)-len(d.digits))...)
	}
	out = append(out, "0."...)
	out = append(out, d.digits...)
	if d.exp != 0 {
		out = strconv.AppendInt(append(out, 'e'), d.exp, 10)
	}
	return out
}
