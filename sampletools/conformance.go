package sampletools

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mrtr-playground/mrtr-playground/sampletools/cluster"
	"github.com/mrtr-playground/mrtr-playground/sampletools/tasks"
)

// conformance has every fixture that the official conformance suite looks for, so that the layers
// which all samples share are judged by it. Names and texts are the suite's.
func conformance(c Config) scenario {
	return scenario{
		Sample: Sample{
			Slug:    "conformance",
			Title:   "Conformance",
			Summary: "All fixtures of the official conformance suite.",
			Teaches: "The layers under all samples are judged by the official suite, for 2026-07-28, for 2025-11-25 and for tasks.",
			Try: []string{
				"Run the suite against it: npx @modelcontextprotocol/conformance server --url …/mcp/conformance",
				"Call json_schema_2020_12_tool: a schema with nearly everything.",
			},
			Replay:    "The same retry gives the same answer again. Tasks are kept for ten minutes.",
			Era:       Both,
			Versions:  []string{"v1"},
			Instances: "a:v1",
			Stream:    true,
			Start: Start{
				Label:  "Three rounds",
				Method: "tools/call",
				Params: json.RawMessage(`{"name":"test_input_required_result_multi_round","arguments":{}}`),
			},
		},
		runner:     newRunner(c),
		extensions: []string{tasks.Extension},
		tools:      slices.Concat(conformanceRounds(), conformanceContents(), conformanceQuestions(), conformanceTasks(c)),
		prompts:    conformancePrompts(),
		resources:  conformanceResources(),
		extend:     func(s *mcp.Server, _ cluster.Instance) { extendConformance(c, s) },
		adjust:     adjustConformance,
	}
}

const noArguments = `{"type":"object"}`

func fixture(name, description string, run script) tool {
	return tool{name: name, description: description, input: noArguments, run: run}
}
