package share

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact/redacttest"
	"github.com/mrtr-playground/mrtr-playground/playground/wire"
)

// A secret that a snapshot recognises, by its shape, its name or as the user's own, is masked
// in every spelling, and the message stays JSON.
func TestNewSnapshot_EverySpelling(t *testing.T) {
	const shaped = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	type row struct{ secret, known string }
	list := []row{{shaped, `"it is ` + shaped + `"`}}
	for _, secret := range redacttest.Secrets {
		quoted, _ := json.Marshal(secret)
		list = append(list, row{secret, `{"password":` + string(quoted) + `}`}, row{secret: secret})
	}
	for _, r := range list {
		for _, spelling := range redacttest.Spellings(r.secret) {
			echo, _ := json.Marshal(spelling.Text)
			result, o := `{"known":`+r.known+`,"echo":`+string(echo)+`}`, Options{}
			if r.known == "" {
				result, o.Credentials = `{"echo":`+string(echo)+`}`, []string{r.secret}
			}
			public := dump(NewSnapshot(recorded(result), o).Session)
			core, _ := json.Marshal(spelling.Core)
			if strings.Contains(public, string(core[1:len(core)-1])) {
				t.Errorf("%s of %q (%s): %s", spelling.Name, r.secret, r.known, public)
			}
		}
	}
}

// A secret with a known shape is recognised also if it stands in one spelling alone.
func TestNewSnapshot_ShapeInEverySpelling(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for _, spelling := range redacttest.Spellings(secret) {
		if spelling.Apart {
			continue
		}
		echo, _ := json.Marshal(spelling.Text)
		s := NewSnapshot(recorded(`{"echo":`+string(echo)+`}`), Options{}).Session
		core, _ := json.Marshal(spelling.Core)
		if body := wire.Split(s.Exchanges[0].Log[2].Data).Body; !json.Valid(body) ||
			strings.Contains(string(body), string(core[1:len(core)-1])) {
			t.Errorf("%s: %s", spelling.Name, body)
		}
	}
}

// A secret with a known shape is masked in a text of which nothing else is known, such as a line
// of a log, in every spelling.
func TestMaskText_EverySpelling(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for _, spelling := range redacttest.Spellings(secret) {
		if spelling.Apart || spelling.Within {
			continue // then it has no shape
		}
		for _, around := range [][2]string{{"", ""}, {"send: ", ": refused"}, {`{"err":"`, `"}`}} {
			got := MaskText(around[0] + spelling.Text + around[1])
			if strings.Contains(got, spelling.Core) || !strings.HasPrefix(got, around[0]) ||
				!strings.HasSuffix(got, around[1]) || !strings.Contains(got, "***") {
				t.Errorf("%s: %s became %s", spelling.Name, spelling.Text, got)
			}
		}
	}
}
