package picture

import "slices"

// SignInStep is one step of a sign-in to a protected server.
type SignInStep struct {
	N       int    // its number, from 1
	Purpose string // an auth.Purpose
	Answer  string // the response, in a few words; empty for what the step is for
	Failed  bool   // it ended the sign-in
	Lost    bool   // there was no response
	// Sentence is the finding of the step.
	Sentence string
}

// Lanes of a sign-in.
const (
	resourceServer      = 2
	authorizationServer = 3
)

// SignIn returns the Picture of a sign-in: you, the client, the MCP server, and
// the authorization server that the MCP server trusts. Each step is a Round.
func SignIn(steps []SignInStep) Picture {
	p := Picture{
		Title: "A sign-in to a protected server",
		Lanes: []Lane{
			{Name: youName}, {Name: clientName}, {Name: "MCP server"}, {Name: "Authorization",
				Note: "server"},
		},
	}
	for _, s := range steps {
		p.Steps = append(p.Steps, s.arrows()...)
	}
	return p
}

// NarrowSignIn returns a picture of SignIn for a narrow column: with headings
// that fit there whole.
func NarrowSignIn(p Picture) Picture {
	p = p.Narrow()
	p.Lanes = slices.Clone(p.Lanes)
	p.Lanes[resourceServer] = Lane{Name: "MCP", Note: "server"}
	p.Lanes[authorizationServer] = Lane{Name: "Auth", Note: "server"}
	return p
}

// arrows returns the request and the response of a step.
func (s SignInStep) arrows() []Step {
	ask := func(from, to int, label, answer string) []Step {
		call := Step{Kind: Call, Round: s.N, From: from, To: to, Label: label, Sentence: s.Sentence}
		if s.Lost {
			call.Mark = Broken
			return []Step{call}
		}
		if s.Answer != "" {
			answer = s.Answer
		}
		reply := Step{Kind: Reply, Round: s.N, From: to, To: from, Label: answer}
		if s.Failed {
			reply.Mark = Wrong
		}
		call.Sentence, reply.Sentence = sentenceOf(label)+".", s.Sentence
		return []Step{call, reply}
	}
	switch s.Purpose {
	case "challenge":
		return ask(client, resourceServer, "request", "sign in first")
	case "resource_metadata":
		return ask(client, resourceServer, "get the server metadata", "authorization server")
	case "server_metadata":
		return ask(client, authorizationServer, "get its metadata", "what it supports")
	case "registration":
		return ask(client, authorizationServer, "register this client", "client ID")
	case "authorization":
		return []Step{
			{Kind: Reply, Round: s.N, From: client, To: you, Label: "sign in there",
				Sentence: "The client sends you to the authorization server."},
			{Kind: Call, Round: s.N, From: you, To: authorizationServer, Label: "you sign in and decide",
				Sentence: s.Sentence},
		}
	case "anyway":
		return []Step{{Kind: Call, Round: s.N, From: you, To: client, Label: "go on anyway",
			Sentence: s.Sentence}}
	case "return":
		back := Step{Kind: Reply, Round: s.N, From: authorizationServer, To: client,
			Label: "code, through your browser", Sentence: s.Sentence}
		if s.Failed {
			back.Label, back.Mark = "answer, through your browser", Wrong
		}
		return []Step{back}
	case "token":
		return ask(client, authorizationServer, "code + verifier", "access token")
	case "refresh":
		return ask(client, authorizationServer, "refresh token", "new access token")
	case "revocation":
		return ask(client, authorizationServer, "revoke the token", "revoked")
	}
	return nil
}

func sentenceOf(label string) string { return "The client sends: " + label }
