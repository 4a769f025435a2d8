package lesson

import (
	"html"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestCodeHasTheColoursOfItsMeaning(t *testing.T) {
	tests := []struct{ ending, code, want string }{
		{"json", `{"a": "\"b", "n": 1.5}`, `punct:{ name:"a" punct:: string:"\"b" punct:, name:"n" punct:: number:1.5 punct:}`},
		{"go", "if x == nil { return `a\"b` } // why", "keyword:if punct:== constant:nil punct:{ keyword:return string:`a\"b` punct:} comment:// why"},
		{"ts", "const a = `deploy ${app}`;", "keyword:const punct:= string:`deploy ${app}` punct:;"},
		{"py", "def f():\n\"\"\"It's\"\"\" # why", "keyword:def punct:(): string:\"\"\"It's\"\"\" comment:# why"},
		{"cs", `throw Ask($"Deploy {app}?", 'x');`, `keyword:throw punct:($ string:"Deploy {app}?" punct:, string:'x' punct:);`},
		{"sh", "go run . # here", "punct:. comment:# here"},
		{"go", `x := "never ends`, `punct::= string:"never ends`},
	}
	for _, test := range tests {
		l, _ := languageOf(test.ending)
		var out strings.Builder
		l.mark(&out, test.code)
		var got []string
		for _, span := range regexp.MustCompile(`<span class="c-(\w+)">(.*?)</span>`).FindAllStringSubmatch(out.String(), -1) {
			got = append(got, span[1]+":"+html.UnescapeString(span[2]))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s\n got %s\nwant %s", test.ending, test.code, strings.Join(got, " "), test.want)
		}
	}
}

// TestColoursChangeNoCode: what a reader copies is what was written.
func TestColoursChangeNoCode(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	err := fs.WalkDir(files, "listings", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		out, err := highlight(path.Ext(name)[1:], "", string(source))
		if got := html.UnescapeString(tags.ReplaceAllString(out, "")); got != string(source)+"\n" {
			t.Errorf("%s was changed", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
