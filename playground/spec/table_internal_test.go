package spec

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestRead_NamesTheLine: a line that is no row of the table is refused with its
// place.
func TestRead_NamesTheLine(t *testing.T) {
	for lines, want := range map[string]string{
		"a.one MUST both":                                                    "x.txt:4: \"a.one",
		"a.one MUST both section":                                            "x.txt:4",
		"\tA text.":                                                          "is in no requirement",
		"a.one MUST both #s\n\tA text.\n\trule":                              "x.txt:6: \"rule\" is no field",
		"a.one MUST both #s\n\tA text.\n\trules: ":                           "is no field",
		"a.one MUST both #s\n\tA text.\n\tlessons: why":                      `there is no field "lessons"`,
		"a.one MUST both #s\n\tA text.\n\treason: @other":                    "is no field",
		"a.one MUST-NOT both #s\n\tA text.\n\treason: @known\n\tclient: yes": "",
	} {
		_, err := read(fstest.MapFS{
			"table/reasons.txt": {Data: []byte("known: A reason.\n")},
			"table/x.txt":       {Data: []byte("path\nTitle\n\n" + lines + "\n")},
		}, []string{"x"})
		if got := ""; err != nil {
			got = err.Error()
			if want == "" || !strings.Contains(got, want) {
				t.Errorf("%q: %s", lines, got)
			}
		} else if want != "" {
			t.Errorf("%q is read", lines)
		}
	}
	if _, err := read(fstest.MapFS{}, nil); err == nil {
		t.Error("a missing file is read")
	}
}
