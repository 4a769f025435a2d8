package lesson

import "strings"

// SpotAnswers has the number of the chosen option of each item of Spot the
// fault, from 1; 0 where there is none. It is stored in a cookie of the browser.
// It is neither secret nor trusted.
type SpotAnswers []int

// ParseSpotAnswers parses the output of String. What is no option of an item
// counts as no answer.
func ParseSpotAnswers(text string, items []Item) SpotAnswers {
	a := make(SpotAnswers, len(items))
	if len(text) != len(items) {
		return a
	}
	for i := range items {
		if n := int(text[i]) - '0'; n > 0 && n <= len(items[i].Options) {
			a[i] = n
		}
	}
	return a
}

// String returns one digit per item, as the value of a cookie.
func (a SpotAnswers) String() string {
	var b strings.Builder
	for _, n := range a {
		b.WriteByte(byte('0' + n))
	}
	return b.String()
}
