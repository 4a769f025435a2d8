package clienttest

// Scenario describes one part of the test.
type Scenario struct {
	Kind        string // tool, prompt, resource or list
	Name        string // of the tool or prompt, the end of the URI, or the method of the list
	Title       string
	Description string // the scenario, for a user
	Deviation   string // unusual part of the answers; "" for an ordinary one
}

// scenario is a Scenario with its answers.
type scenario struct {
	Scenario
	schema string // of the arguments; "" for none
	more   string // further members of the definition, as JSON; "" for none
	hop    bool   // only of the test of a gateway
	answer func(*call)
}

// uriPrefix begins the URI of every resource.
const uriPrefix = "test://client-test/"

// Scenarios returns the scenarios, in the order of the lists.
func Scenarios() []Scenario {
	var list []Scenario
	for _, s := range table() {
		list = append(list, s.Scenario)
	}
	return list
}

// table returns all scenarios.
func table() []scenario {
	var list []scenario
	for _, part := range [][]scenario{
		states(), questions(), forms(), links(), models(), results(), rounds(), parameters(), failures(),
		streams(), taskScenarios(), lists(), others(),
	} {
		list = append(list, part...)
	}
	return list
}

// tool returns a scenario that is a tool without arguments.
func tool(name, title, description, deviation string, answer func(*call)) scenario {
	return scenario{Scenario: Scenario{"tool", name, title, description, deviation}, answer: answer}
}

// once returns an answer that asks in the first round and is final in the second.
func once(ask func(*call)) func(*call) {
	return func(c *call) {
		if c.round > 1 {
			c.done(received)
			return
		}
		ask(c)
	}
}
