package views

// Verdict is a finding beside the message it judges.
type Verdict struct {
	Rule, Verdict, Text, Link string
	Round                     int
}
