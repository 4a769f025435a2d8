package views

import (
	"fmt"

	"github.com/a-h/templ"

	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Badge is a small picture for a README: how many rounds a recorded call took
// and how it ended. It carries its own colours and no text of strangers.
func Badge(rounds int, s playground.Status) string {
	left, right := "MRTR", roundsWords(rounds)+" · "+string(s)
	const height, pad, letter = 20, 7, 6.6
	leftWidth, rightWidth := int(float64(len(left))*letter)+2*pad+2, int(float64(len([]rune(right)))*letter)+2*pad
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="%s: %s">`+
		`<title>%[3]s: %[4]s</title><rect width="%[1]d" height="%[2]d" rx="3" fill="#1a1b1e"/>`+
		`<path d="M%[5]d 0h%[6]dq3 0 3 3v14q0 3 -3 3h-%[6]dz" fill="%[7]s"/>`+
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">`+
		`<text x="%[8]d" y="14">%[3]s</text><text x="%[9]d" y="14">%[4]s</text></g></svg>`,
		leftWidth+rightWidth, height, left, templ.EscapeString(right), leftWidth, rightWidth-3, badgeColour(s), leftWidth/2, leftWidth+rightWidth/2)
}

func badgeColour(s playground.Status) string {
	switch s {
	case playground.StatusComplete:
		return "#14703f"
	case playground.StatusFailed, playground.StatusInterrupted, playground.StatusCapped:
		return "#b3261e"
	case playground.StatusDeclined, playground.StatusCancelled:
		return "#62635e"
	}
	return "#9c5206"
}
