package doctor

import "github.com/mrtr-playground/mrtr-playground/playground"

// Deviating are the words about a deliberate deviation.
type Deviating struct {
	Name    string // in a few words
	Button  string // what the user does
	GivesUp string // what the user gives up by it
	Did     string // what the record says afterwards
	Clause  string // the requirement that is left out
}

// deviating has the words about each deviation.
var deviating = map[playground.Deviation]Deviating{
	playground.DeviateIssuer: {
		Name:   "another issuer",
		Button: "Go on with this issuer, for this sign-in",
		GivesUp: "The issuer tells your authorization server from another one. If you go on without " +
			"that check, another server can pass itself off as yours and get your code or your token (a " +
			"mix-up attack). Go on only if you know why the two differ, as on a server of your own.",
		Did: "You chose to go on although the issuer differs. This client deviates from the " +
			"specification here, deliberately.",
		Clause: "basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery",
	},
	playground.DeviatePKCE: {
		Name:   "no proof of PKCE",
		Button: "Go on without proof of PKCE, for this sign-in",
		GivesUp: "PKCE makes a stolen code worthless: only the client that asked for it can exchange " +
			"it. This client sends its code challenge all the same, but nothing shows that the " +
			"authorization server checks it. If it does not, anyone who sees the code can get your token.",
		Did: "You chose to go on although nothing shows that the authorization server supports PKCE. " +
			"This client deviates from the specification here, deliberately.",
		Clause: "basic/authorization/security-considerations#authorization-code-protection",
	},
	playground.DeviateResource: {
		Name:   "no resource",
		Button: "Go on without resource, for this sign-in",
		GivesUp: "The parameter resource ties the token to this MCP server. Without it the token may be " +
			"good for other servers, too, and this server could use it there in your name.",
		Did: "You chose to leave out the parameter resource. This client deviates from the " +
			"specification here, deliberately.",
		Clause: "basic/authorization#resource-parameter-implementation",
	},
}

// WordsOf returns the words about a deviation.
func WordsOf(d playground.Deviation) Deviating { return deviating[d] }
