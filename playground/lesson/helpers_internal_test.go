package lesson

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The helpers of an excerpt come in the order in which it needs them, and the
// shown lines do not come again.
func TestHelpers(t *testing.T) {
	for file, tt := range map[string]struct{ source, want string }{
		"a.go": {`
// far is named by near alone.
func far() {
label:
	// see last
}

func (s *server) tool() {
	// [one]
	near(x)
	// [/one]
}

func near(y int) { // not other(
	far("unused(")
}

type server struct{}

func unused() {}

var x = 1

func last() {}
`, `func near(y int) { // not other(
	far("unused(")
}

var x = 1

// far is named by near alone.
func far() {
label:
	// see last
}

func last() {}
`},
		"a.ts": {`
const b = 1;
const c = 2;
// [one]
function f() {
  return g(b, o.d) + c;
}
// [/one]
const d = 3;
const g = (x: number) => ({
  x,
});
`, `const b = 1;
const c = 2;

const g = (x: number) => ({
  x,
});
`},
		"a.py": {`
class K:
    """K."""

    # [two]
    def m(self):
        pass
    # [/two]


async def f() -> None:
    # [one]
    g(K)
    # [/one]


# g returns 1.
def g(
    k: K,
) -> int:
    return 1
`, `class K:
    """K."""

    def m(self):
        pass

# g returns 1.
def g(
    k: K,
) -> int:
    return 1
`},
		"a.cs": {`
using Call = System.Int32;
public class C
{
    [Tool]
    public string F(Call call)
    {
        // [one]
        return G($"{H()}");
        // [/one]
    }

    private static string G(Dictionary<string, int> x) =>
        "F(";

    private static int? H()
    {
        return 1;
    }
}
`, `using Call = System.Int32;

private static string G(Dictionary<string, int> x) =>
    "F(";

private static int? H()
{
    return 1;
}
`},
	} {
		shown, err := excerpts(tt.source)
		if err != nil {
			t.Fatal(err)
		}
		if got := helpers(definitions(file, tt.source), file, shown["one"].spans); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", file, got, tt.want)
		}
	}
}

// A reader finds every function of the program that the lines call, in the lines
// or below them. What is below is in the program.
func TestHelpers_AreThere(t *testing.T) {
	calls := regexp.MustCompile(`\b([A-Za-z]\w*)\(`)
	found := 0
	for _, p := range programs {
		sources, all, err := p.read()
		if err != nil {
			t.Fatal(err)
		}
		program := strings.Join(slices.Collect(maps.Values(sources)), "\n")
		for _, file := range p.files {
			shown, err := excerpts(sources[file])
			if err != nil {
				t.Fatal(err)
			}
			for slug, x := range shown {
				below := helpers(all, file, x.spans)
				for line := range strings.Lines(below) {
					if !strings.Contains(program, strings.TrimSuffix(line, "\n")) &&
						!strings.Contains(program, "\t"+line) && !strings.Contains(program, "    "+line) {
						t.Errorf("%s, %s: %q is not a line of the program", slug, file, line)
					}
				}
				for _, call := range calls.FindAllStringSubmatch(x.source, -1) {
					declares := regexp.MustCompile(`(?m)^ *(?:async )?` +
						`(?:func|func \(.*?\)|function|def|const|(?:public|private) static [\w<>?\[\], ]+) ` +
						call[1] + `(?:\(| = \().*$`)
					first := strings.TrimSpace(declares.FindString(program))
					if first == "" {
						continue // of the SDK or the language
					}
					found++
					if !strings.Contains(x.source+below, first) {
						t.Errorf("%s, %s: %s is called and not shown", slug, file, call[1])
					}
				}
			}
		}
	}
	if found < 120 {
		t.Errorf("only %d calls", found)
	}
}
