package picture

import (
	"github.com/mrtr-playground/mrtr-playground/playground"
)

// Landing returns the idea of MRTR in six arrows: a call whose question comes
// from one machine and whose answer goes to another.
func Landing() Picture {
	const a, b = 2, 3
	return Picture{
		Title: "A tool call that asks you a question and is completed by another machine",
		Width: 440,
		Lanes: []Lane{
			{Name: "You"}, {Name: clientName},
			{Name: "Instance a", Note: "any machine", Instance: "a"},
			{Name: "Instance b", Note: "another machine", Instance: "b"},
		},
		Steps: []Step{
			{
				Kind: Call, From: client, To: a, Label: playground.ToolsCall,
				Sentence: "The client calls a tool on instance a, which may be any machine.",
			},
			{
				Kind: Reply, From: a, To: client, Label: "input_required", State: "requestState",
				Sentence: "Instance a returns input_required, with everything it knows in requestState.",
			},
			{Kind: Reply, From: client, To: you, Label: "asks you", Sentence: "The client asks you."},
			{Kind: Call, From: you, To: client, Label: "your answer", Sentence: "You answer."},
			{
				Kind: Call, From: client, To: b, Label: "the same call + answer",
				State:    "requestState, unchanged",
				Sentence: "The same call, your answer and the state go to instance b, another machine.",
			},
			{
				Kind: Reply, From: b, To: client, Label: "complete", Mark: Done,
				Sentence: "Instance b completes the call. No machine had to remember anything in between.",
			},
		},
	}
}
