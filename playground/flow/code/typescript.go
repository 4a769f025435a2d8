package code

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
)

// tsSDK is the version of the SDK that the output is written for.
const tsSDK = "2.4.0"

// tsReserved are the words that a local name cannot have in the output.
const tsReserved = `abstract any arguments as async await boolean break case catch class const constructor
	continue debugger declare default delete do else enum eval export extends false finally for from
	function get if implements import in instanceof interface is keyof let module namespace never new null
	number object of package private protected public readonly require return set static string super
	switch symbol this throw true try type typeof undefined unknown using var void while with yield
	args round text fail schema number serve start tool inputs versions process console Number String
	Object Array Promise Error Math JSON Round setTimeout test begin work name noTasks globalThis Infinity
	NaN`

// typeScript prints a plan in TypeScript.
type typeScript struct{ *writer }

// typeScriptFiles returns the files of a server in TypeScript.
func typeScriptFiles(p *plan) ([]File, error) {
	t := &typeScript{}
	t.writer = newWriter(p, t.words(), "schema", "serve", "type Round")
	t.printer = t
	t.writeFlow()
	texts := map[string]string{
		"flow": t.b.String(), "name": p.flow.Name, "tool": jsText(p.flow.Name), "folder": Folder(p.flow),
		"package": jsText(Folder(p.flow)), "sdk": tsSDK, "function": t.function("v1"),
		"life": fmt.Sprint(p.life().Milliseconds()), "test": t.tests(), "again": t.again(),
		"imports": strings.Join(slices.Sorted(maps.Keys(t.used)), ", "), "version": p.versions[0].name,
	}
	if p.needs["versions"] {
		texts["version"] = "${version}"
	}
	var versions []string
	for _, v := range p.versions {
		versions = append(versions, v.name+": "+t.function(v.name))
	}
	texts["versions"] = strings.Join(versions, ", ")
	t.add(texts, "settings", ", ", map[string]string{"secret": "key", "versions": "version",
		"instance": "instance", "url": "url: '', pages: new Map()", "task": "tasks: new Map()"})
	t.add(texts, "insists", "", map[string]string{"askagain": " insists: {},"})
	t.add(texts, "pages", "", map[string]string{"url": ", settings.pages"})
	t.add(texts, "pagesParam", "", map[string]string{"url": ", pages: Map<string, Page>"})
	t.add(texts, "extensions", "", map[string]string{"task": ", extensions: { [extension]: {} }"})
	t.add(texts, "nothing", ", ", map[string]string{"asks": "answers: {}, asked: []", "shed": "shed: {}",
		"url": "tickets: {}", "again": "by: ''"})
	t.add(texts, "orRemembers", "", map[string]string{
		"url":   "\n      || Object.keys(this.kept.tickets).length > 0",
		"shed":  "\n      || Object.keys(this.kept.shed).length > 0",
		"again": "\n      || again[this.settings.version] !== undefined",
	})
	t.add(texts, "isPast", " || ", map[string]string{
		"asks": "this.kept.answers[step] || this.kept.asked.includes(step)\n" +
			"      || this.given(step).kind !== 'missing'",
		"shed": "this.kept.shed[step]",
	})
	var files []File
	for _, name := range []string{"server.ts", "mrtr.ts", "server.test.ts", "package.json"} {
		if name == "server.test.ts" && p.needs["task"] {
			texts["extensions"] = "\n          extensions: { 'io.modelcontextprotocol/tasks': {} },"
		}
		if name == "mrtr.ts" {
			texts["imports"] = tsImports(part(name+".txt", p.needs, texts))
		}
		source := strings.ReplaceAll(part(name+".txt", p.needs, texts), "\n\n\n", "\n\n")
		files = append(files, File{name, source})
	}
	return append(files, File{"README.md", readme(p, "typescript")}), nil
}

// add sets a text to the pieces whose needs are there.
func (p *plan) add(texts map[string]string, name, separator string, pieces map[string]string) {
	var list []string
	for _, need := range slices.Sorted(maps.Keys(pieces)) {
		if p.needs[need] {
			list = append(list, pieces[need])
		}
	}
	texts[name] = strings.Join(list, separator)
}

// tsModules are the names that mrtr.ts can import, by module.
var tsModules = []struct{ module, names string }{
	{"node:crypto", `createCipheriv createDecipheriv createHash createHmac randomBytes randomUUID
		timingSafeEqual`},
	{"node:http", "createServer IncomingMessage ServerResponse"},
	{"node:net", "AddressInfo"},
	{"@modelcontextprotocol/server", `CLIENT_CAPABILITIES_META_KEY createMcpHandler fromJsonSchema
		inputRequired inputResponse MissingRequiredClientCapabilityError OAuthError OAuthErrorCode
		ProtocolError ProtocolErrorCode requireBearerAuth Server ServerContext`},
}

// tsTypes are those of them that are only types.
var tsTypes = []string{"IncomingMessage", "ServerResponse", "AddressInfo", "ServerContext"}

var word = regexp.MustCompile(`\w+`)

// tsImports returns the imports that a source needs.
func tsImports(source string) string {
	var b strings.Builder
	words := map[string]bool{}
	for _, word := range word.FindAllString(source, -1) {
		words[word] = true
	}
	for _, m := range tsModules {
		var used []string
		for _, name := range strings.Fields(m.names) {
			if !words[name] {
				continue
			}
			if slices.Contains(tsTypes, name) {
				name = "type " + name
			}
			used = append(used, name)
		}
		line := fmt.Sprintf("import { %s } from '%s';\n", strings.Join(used, ", "), m.module)
		if len(line) > 110 {
			half := len(used) / 2
			line = fmt.Sprintf("import {\n  %s,\n  %s,\n} from '%s';\n", strings.Join(used[:half], ", "),
				strings.Join(used[half:], ", "), m.module)
		}
		if len(used) > 0 {
			b.WriteString(line)
		}
	}
	return b.String()
}

// writeFlow writes the part that belongs to the flow.
func (t *typeScript) writeFlow() {
	f := t.flow
	t.line("type Arguments = %s;\n", tsObject(f.Arguments, true))
	t.line("const inputs = schema(%s);\n", tsJSON(flow.SchemaOf(f.Arguments)))
	t.line("const tool = {\n  name: %s,", jsText(f.Name))
	if f.Title != "" {
		t.line("  title: %s,", jsText(f.Title))
	}
	if f.Description != "" {
		t.line("  description: %s,", jsText(f.Description))
	}
	t.line("  inputs,\n};\n")
	t.writeForms()
	t.writeVersions()
}

func (t *typeScript) again() string {
	var list []string
	for _, v := range t.versions {
		if len(v.again) > 0 {
			list = append(list, v.name+": ["+quotedList(v.again, jsText)+"]")
		}
	}
	return "{ " + strings.Join(list, ", ") + " }"
}

// tsObject returns the type of an object. Fields that are not required can be
// absent; all can if the answer is not certain.
func tsObject(fields []flow.Field, sure bool) string {
	if len(fields) == 0 {
		return "{}"
	}
	parts := make([]string, len(fields))
	for i, f := range fields {
		mark := "?"
		if sure && f.Required {
			mark = ""
		}
		parts[i] = tsKey(f.Name) + mark + ": " + tsType(f)
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

func tsType(f flow.Field) string {
	switch f.Kind {
	case flow.NumberField, flow.IntegerField:
		return "number"
	case flow.YesNo:
		return "boolean"
	case flow.Choices:
		return "string[]"
	case flow.List:
		inner := tsType(*f.Item)
		if strings.ContainsAny(inner, " <") {
			return "Array<" + inner + ">"
		}
		return inner + "[]"
	case flow.Table:
		return "Record<string, " + tsType(*f.Item) + ">"
	case flow.Object:
		return tsObject(f.Fields, true)
	}
	return "string"
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// tsKey returns the key of an object literal.
func tsKey(name string) string {
	if identifier.MatchString(name) && name != "__proto__" {
		return name
	}
	if name == "__proto__" { // as a plain key it would set the prototype
		return "['__proto__']"
	}
	return jsText(name)
}

var tsStyle = style{
	key: tsKey, text: jsText, yes: "true", no: "false", null: "null", indent: "  ", openSpace: " ",
	trailing: true,
}

func tsJSON(raw []byte) string { return tsStyle.write(parsed(raw), 0, 100) }

// jsText returns a text as a literal in single quotes.
func jsText(s string) string { return "'" + jsEscaped(s, '\'') + "'" }

// jsEscaped escapes a text for a literal in these quotes.
func jsEscaped(s string, quote rune) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == quote || r == '\\' || quote == '`' && r == '$':
			b.WriteString("\\" + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsGraphic(r) && !unicode.Is(unicode.Z, r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}
