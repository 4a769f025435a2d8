package views

import (
	"fmt"

	"github.com/mrtr-playground/mrtr-playground/playground/lesson"
)

// SpotPath is the address of Spot the fault.
const SpotPath = "/learn/spot-the-fault"

// SpotPage is one recorded exchange to judge, or the result after the last.
type SpotPage struct {
	lesson.Spot
	N, Total int        // number of the exchange, from 1; N is 0 on the result
	Picked   string     // a digit for each exchange: the choice, from 1; 0 for none
	Chosen   int        // choice for this exchange, from 1; 0 for none
	Right    int        // right choices so far
	Lesson   LessonLink // that explains the exchange
	Faults   []Verdict  // findings of the rules on the exchange
	Titles   []SpotLine // all exchanges, for the result
	Missed   bool       // the user checked without a choice
}

// SpotLine is an exchange in the result.
type SpotLine struct {
	Title, Path    string
	Chosen, Solved bool
}

// SpotAddress returns the address of exchange n with the choices so far; n is
// from 1, and one above the last is the result.
func SpotAddress(n int, picked string) string {
	path := fmt.Sprintf("%s/%d", SpotPath, n)
	if picked == "" {
		return path
	}
	return path + "?picked=" + picked
}

// Shows reports whether choice i, from 0, is explained: the chosen one, and all
// of them after the right one was chosen.
func (p SpotPage) Shows(i int) bool {
	return p.Chosen == i+1 || p.Solved()
}

// Solved reports whether the right choice was made.
func (p SpotPage) Solved() bool { return p.Chosen > 0 && p.Choices[p.Chosen-1].Right }

// Sender names the side that sent message i, from 0.
func (p SpotPage) Sender(i int) string {
	switch {
	case p.Messages[i].Server:
		return "Server"
	case i > 0:
		return "Client, again"
	}
	return "Client"
}
