package picture

// Landing returns the idea of MRTR in six arrows: a call whose question comes
// from one machine and whose answer goes to another.
func Landing() Picture {
	const a, b = 2, 3
	return Picture{
		Title: "A tool call that asks you back, and is finished by another machine",
		Width: 440,
		Lanes: []Lane{{"You", ""}, {"Client", ""}, {"Instance a", "any machine"}, {"Instance b", "another machine"}},
		Steps: []Step{
			{
				Kind: Call, From: client, To: a, Label: "tools/call",
				Sentence: "The client calls a tool on instance a, which may be any machine.",
			},
			{
				Kind: Reply, From: a, To: client, Label: "input_required", State: "requestState",
				Sentence: "Instance a answers that input is required, and hands over everything it knows as requestState.",
			},
			{Kind: Reply, From: client, To: you, Label: "asks you", Sentence: "The client asks you."},
			{Kind: Call, From: you, To: client, Label: "your answer", Sentence: "You answer."},
			{
				Kind: Call, From: client, To: b, Label: "the same call + answer", State: "the same state, untouched",
				Sentence: "The client sends the same call with your answer and the untouched state to instance b, another machine.",
			},
			{
				Kind: Reply, From: b, To: client, Label: "complete", Mark: Done,
				Sentence: "Instance b completes the call; nothing was remembered in between.",
			},
		},
	}
}
