package code

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrtr-playground/mrtr-playground/playground/flow"
	"github.com/mrtr-playground/mrtr-playground/playground/jsontree"
)

// pyReserved are the words that a local name cannot have in the output.
const pyReserved = `False None True and as assert async await break class continue def del elif else except
	finally for from global if import in is lambda nonlocal not or pass raise return try while with yield
	match case type str int float bool list dict set len sorted any all open id max min print format input
	args call fail text number json os time math serve start Tool Any Round Answer server no_tasks TOOL
	VERSIONS`

// python prints a plan in Python.
type python struct{ *writer }

// pythonFiles returns the files of a server in Python. A flow that is sealed is
// signed: the standard library cannot encrypt.
func pythonFiles(p *plan) ([]File, error) {
	y := &python{}
	y.writer = newWriter(p, y.words(), "Round", "Tool", "serve")
	y.printer = y
	y.findSchemas()
	y.writeForms()
	y.writeVersions()
	texts := map[string]string{
		"flow": strings.Trim(y.b.String(), "\n") + "\n", "name": p.flow.Name, "function": y.function("v1"),
		"package": pyText(Folder(p.flow)), "life": flow.Show(p.life().Seconds()), "test": y.tests(),
		"again": y.again(), "described": y.described(), "version": pyText("v1"),
	}
	if p.needs["versions"] {
		texts["version"] = "settings.version"
	}
	var versions []string
	for _, v := range p.versions {
		versions = append(versions, pyText(v.name)+": "+y.function(v.name))
	}
	texts["versions"] = "{" + strings.Join(versions, ", ") + "}"
	p.add(texts, "nothing", ", ", map[string]string{"asks": `"answers": {}, "asked": []`,
		"shed": `"shed": {}`, "url": `"tickets": {}`, "again": `"by": ""`})
	p.add(texts, "isDone", "", map[string]string{"url": ", is_done: Callable[[str], bool]"})
	p.add(texts, "extensions", "", map[string]string{"task": `, "extensions": {EXTENSION: {}}`})
	p.add(texts, "declared", "",
		map[string]string{"task": `,
                "extensions": {"io.modelcontextprotocol/tasks": {}}`})
	p.add(texts, "by", "", map[string]string{"again": `, "by": self.settings.version`})
	p.add(texts, "orRemembers", "", map[string]string{"shed": ` or self.kept["shed"]`,
		"url": ` or self.kept["tickets"]`, "again": ` or self.settings.version in AGAIN`})
	p.add(texts, "isPast", " or ", map[string]string{
		"asks": `step in self.kept["answers"] or step in self.kept["asked"] or self.given(step)`,
		"shed": `step in self.kept["shed"]`,
	})
	var files []File
	for _, name := range []string{"server.py", "mrtr.py", "test_server.py"} {
		switch name {
		case "server.py":
			texts["imports"] = y.serverImports()
		case "mrtr.py":
			texts["imports"] = pyImports(part(name+".txt", p.needs, texts))
		}
		files = append(files, File{name, part(name+".txt", p.needs, texts)})
	}
	return append(files, File{"README.md", readme(p, "python")}), nil
}

// findSchemas sets which parts of JSON Schema the server has to validate.
func (y *python) findSchemas() {
	y.findFields(y.flow.Arguments)
	for _, v := range y.versions {
		for _, s := range v.steps {
			for _, q := range s.asks {
				y.findFields(q.Fields)
			}
		}
	}
}

func (y *python) findFields(fields []flow.Field) {
	for _, f := range fields {
		schema := parsed(f.Schema)
		switch f.Kind {
		case flow.TextField:
			y.needs["strings"] = true
		case flow.YesNo:
			y.needs["booleans"] = true
		case flow.NumberField, flow.IntegerField:
			y.needs["floats"] = true
		case flow.List, flow.Choices:
			y.needs["arrays"] = true
			schema = schema.Get("items")
		}
		y.needs["titled"] = y.needs["titled"] || schema.Has("oneOf") || schema.Has("anyOf")
		y.needs["enums"] = y.needs["enums"] || schema.Has("enum")
		y.findFields(f.Fields)
		if f.Item != nil {
			y.findFields([]flow.Field{*f.Item})
		}
	}
}

// pyModules are the imports of mrtr.py: what shows a use, and the line.
var pyModules = []struct {
	use  *regexp.Regexp
	line string
}{
	{
		regexp.MustCompile(`\b(hashlib|hmac|html|json|os|re|secrets|sys|threading|time|traceback)\.[A-Za-z]`),
		"import $1",
	},
	{regexp.MustCompile(`(urlsafe_b64encode)`), "from base64 import urlsafe_b64decode, urlsafe_b64encode"},
	{regexp.MustCompile(`(Callable)`), "from collections.abc import Callable"},
	{regexp.MustCompile(`(asdict)\(`), "from dataclasses import asdict"},
	{regexp.MustCompile(`(dataclass)`), "from dataclasses import dataclass, field"},
	{regexp.MustCompile(`\b(date)\.from`), "from datetime import date"},
	{regexp.MustCompile(`\b(datetime)\.from`), "from datetime import datetime"},
	{regexp.MustCompile(`\b(timezone)\.`), "from datetime import timezone"},
	{regexp.MustCompile(`(Decimal)`), "from decimal import Decimal"},
	{
		regexp.MustCompile(`(HTTPServer)`),
		"from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer",
	},
	{regexp.MustCompile(`\b(Any)\b`), "from typing import Any"},
	{regexp.MustCompile(`(parse_qs)`), "from urllib.parse import parse_qs"},
	{regexp.MustCompile(`(urlsplit)`), "from urllib.parse import urlsplit"},
}

// pyImports returns the imports that a source needs, sorted as Python's tools do:
// import before from, and one line for each module.
func pyImports(source string) string {
	modules := map[string][]string{} // the names that are imported, by module
	for _, m := range pyModules {
		for _, found := range m.use.FindAllStringSubmatch(source, -1) {
			line := strings.ReplaceAll(m.line, "$1", found[1])
			module, names, _ := strings.Cut(strings.TrimPrefix(line, "from "), " import ")
			for _, name := range strings.Split(names, ", ") {
				if !slices.Contains(modules[module], name) {
					modules[module] = append(modules[module], name)
				}
			}
		}
	}
	var plain, from []string
	for _, module := range slices.Sorted(maps.Keys(modules)) {
		if names := modules[module]; names[0] == "" {
			plain = append(plain, module+"\n")
		} else {
			slices.Sort(names)
			from = append(from, "from "+module+" import "+strings.Join(names, ", ")+"\n")
		}
	}
	return strings.Join(plain, "") + strings.Join(from, "")
}

func (y *python) serverImports() string {
	var lines []string
	source := y.b.String()
	lines = append(lines, "import os")
	if strings.Contains(source, "time.sleep(") {
		lines = append(lines, "import time")
	}
	if strings.Contains(source, "math.") {
		lines = append(lines, "import math")
	}
	slices.Sort(lines)
	lines = append(lines, "from http.server import ThreadingHTTPServer", "from typing import Any", "")
	var names []string
	for name := range y.used {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(caseless(a), caseless(b)) })
	return strings.Join(append(lines, "from mrtr import "+strings.Join(names, ", ")), "\n") + "\n"
}

// caseless sorts classes before functions.
func caseless(name string) string {
	if strings.ToLower(name) == name {
		return "b" + name
	}
	return "a" + name
}

// described returns the tool as it is in tools/list.
func (y *python) described() string {
	f := y.flow
	pairs := []jsontree.Pair{{Key: "name", Value: jsontree.Quote(f.Name)}}
	if f.Title != "" {
		pairs = append(pairs, jsontree.Pair{Key: "title", Value: jsontree.Quote(f.Title)})
	}
	if f.Description != "" {
		pairs = append(pairs, jsontree.Pair{Key: "description", Value: jsontree.Quote(f.Description)})
	}
	pairs = append(pairs, jsontree.Pair{Key: "inputSchema", Value: flow.SchemaOf(f.Arguments)})
	return pyJSON(jsontree.ObjectOf(pairs...))
}

func (y *python) again() string {
	var list []string
	for _, v := range y.versions {
		if len(v.again) > 0 {
			list = append(list, pyText(v.name)+": ["+quotedList(v.again, pyText)+"]")
		}
	}
	return "{" + strings.Join(list, ", ") + "}"
}

var pyStyle = style{
	key: pyText, text: pyText, yes: "True", no: "False", null: "None", indent: "    ", trailing: true,
}

func pyJSON(raw []byte) string { return pyStyle.write(parsed(raw), 0, 100) }

// pyText returns a text as a literal in double quotes. The escapes of Go that
// strconv.Quote writes for valid UTF-8 are escapes of Python, too.
func pyText(s string) string { return strconv.Quote(s) }
