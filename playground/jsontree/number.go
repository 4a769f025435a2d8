package jsontree

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// Decimal is the exact value of a JSON number: ±0.d₁d₂d₃… × 10^exp without
// zeros at either end of the digits. It never calculates a power of ten, so
// that 1e999999999 takes no more memory than its text. The zero value is 0.
type Decimal struct {
	negative bool
	digits   string // empty for zero
	exp      int64  // at most ±hugeExp
	text     string // the notation, only if the exponent has more than 17 digits
}

const (
	maxExponent = 1000    // bound of Bounded
	hugeExp     = 1 << 62 // stands for an exponent of more than 17 digits
)

// ParseDecimal returns the value of a number in the grammar of RFC 8259,
// section 6, without white space around it.
func ParseDecimal(text string) (Decimal, bool) {
	if text == "" || text[0] != '-' && !isDigit(text[0]) {
		return Decimal{}, false
	}
	if !isDigit(text[len(text)-1]) || !json.Valid([]byte(text)) {
		return Decimal{}, false
	}
	return decimalOf(text), true
}

// Bounded reports whether text is the notation of a number that big.Rat can
// hold in little memory: at most 1000 characters and an exponent of at most
// ±1000.
func Bounded(text string) bool {
	if len(text) > maxExponent {
		return false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		e, err := strconv.Atoi(text[i+1:])
		return err == nil && -maxExponent <= e && e <= maxExponent
	}
	return true
}

// decimalOf reads a number that scanNumber has accepted.
func decimalOf(text string) Decimal {
	var d Decimal
	number := strings.TrimPrefix(text, "-")
	d.negative = number != text
	mantissa, exponent := number, ""
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa, exponent = number[:i], number[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	d.digits = strings.TrimLeft(all, "0")
	d.exp = int64(len(whole) - (len(all) - len(d.digits)))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return Decimal{}
	}
	sign, exponent := splitSign(exponent)
	if len(exponent) > 17 {
		d.exp, d.text = sign*hugeExp, text
		return d
	}
	e, _ := strconv.ParseInt("0"+exponent, 10, 64)
	d.exp += sign * e
	return d
}

// splitSign returns the sign of an exponent and its digits without leading
// zeros.
func splitSign(exponent string) (sign int64, digits string) {
	sign = 1
	if strings.HasPrefix(exponent, "-") {
		sign = -1
	}
	return sign, strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")
}

// Sign returns -1, 0 or +1.
func (d Decimal) Sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	}
	return 1
}

// Cmp returns -1, 0 or +1 for d < e, d == e and d > e. Numbers whose exponents
// have more than 17 digits are equal only if their notations are.
func (d Decimal) Cmp(e Decimal) int {
	if c := cmp.Compare(d.Sign(), e.Sign()); c != 0 {
		return c
	}
	c := cmp.Or(
		cmp.Compare(d.exp, e.exp), strings.Compare(d.digits, e.digits), strings.Compare(d.text, e.text))
	if d.negative {
		return -c
	}
	return c
}

// IsInt reports whether d is a whole number.
func (d Decimal) IsInt() bool { return d.exp >= int64(len(d.digits)) }

func (d Decimal) int64() (int64, bool) {
	// An int64 has at most 19 digits.
	if !d.IsInt() || d.exp > 19 {
		return 0, false
	}
	text := "0" + d.digits + strings.Repeat("0", int(d.exp)-len(d.digits))
	if d.negative {
		text = "-" + text
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}

// append writes whole numbers of up to 21 digits without an exponent (as
// JavaScript does) and all others as 0.digits with an exponent.
func (d Decimal) append(out []byte) []byte {
	switch {
	case d.text != "":
		return append(out, d.text...)
	case d.digits == "":
		return append(out, '0')
	}
	if d.negative {
		out = append(out, '-')
	}
	if d.exp <= 21 && d.IsInt() {
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
