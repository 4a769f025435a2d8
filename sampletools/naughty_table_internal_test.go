package sampletools

import "testing"

// TestReadFaults_RefusesMistakes: a row without an answer, code without a row, and a
// line that is no member.
func TestReadFaults_RefusesMistakes(t *testing.T) {
	code := []fault{{tool: "coded", answer: fixed("{}")}}
	for table, right := range map[string]bool{
		"coded\n\ttitle: A fault\n\none\n\terror: 200 {}\n": true,
		"coded\n\nwithout\n\ttitle: No answer\n":            false,
		"one\n\tanswer: {}\n":                               false,
		"coded\n\ttitel: A fault\n":                         false,
		"coded\n\terror: none\n":                            false,
	} {
		func() {
			defer func() {
				if err := recover(); (err == nil) != right {
					t.Errorf("%q: %v", table, err)
				}
			}()
			readFaults(table, code)
		}()
	}
}
