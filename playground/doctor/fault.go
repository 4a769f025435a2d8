package doctor

// Who has to act, as the beginning of a remedy. {owner} is one of these, by the document that
// the fault is in.
const (
	author   = "The server's author: "
	operator = "The authorization server's operator: "
)

// Parts of remedies that several faults share.
const (
	tryAgain  = "Sign in again. "
	againElse = "You: sign in again. If it happens again, the authorization server's operator: "
	byHand    = "register this program there by hand, as a public client (without a secret) with the " +
		"redirect URI {redirect}. You then use the client ID."
	correctDocument = "{owner}: correct the document, or the address that led to it, {address}."
)

// faultRemedies are what to do about a fault of a sign-in, by its id. SignIn.fill replaces the
// names in braces.
var faultRemedies = map[string]remedy{
	// The server refuses the request.
	"no-challenge": {do: author + "send WWW-Authenticate: Bearer with resource_metadata, so that clients " +
		"find the metadata without guessing."},
	"no-scope": {do: author + "name the missing scopes in the parameter scope of WWW-Authenticate."},
	"no-error": {do: author + "add error=\"insufficient_scope\" to WWW-Authenticate."},

	// The metadata of the server.
	"resource-unreachable": {do: author + "correct the address in resource_metadata of WWW-Authenticate, " +
		"or let clients reach it."},
	"resource-missing": {do: author + "serve the metadata at this address, which WWW-Authenticate names in " +
		"resource_metadata, or correct the address there."},
	"resource-page": {do: author + "answer with HTTP status 404 where there is no metadata."},
	"metadata-unread": {do: author + "check the server's log: its metadata has to be readable without a " +
		"token."},
	"no-resource-metadata": {do: author + "serve protected resource metadata (RFC 9728), and name its " +
		"address in WWW-Authenticate."},
	"resource-unnamed": {do: author + "add resource to the metadata, with the URL of the server, {server}."},
	"resource-wider":   {do: author + "set resource in the metadata to the URL of the server, {server}."},
	"resource-mismatch": {do: "You: if the URL that the metadata names is the server that you mean, and " +
		"you trust it, connect to that URL: it gets your sign-in. Otherwise, the server's author: set " +
		"resource in the metadata to the URL that clients use, {server}."},
	"no-authorization-servers": {do: author + "list the issuer of the authorization server in " +
		"authorization_servers of the metadata."},
	"offline-access-listed": {do: author + "leave offline_access out of scopes_supported."},
	"bad-issuer":            {do: author + "name the issuer in authorization_servers without a query."},

	// Addresses in either document.
	"bad-address": {do: "{owner}: write the whole address in the metadata, with https://."},
	"fragment":    {do: "{owner}: remove the fragment from the address in the metadata."},
	"not-https":   {do: "{owner}: use https for this address in the metadata."},
	"bad-query":   {do: operator + "correct authorization_endpoint in the metadata."},
	"reserved-parameter": {do: operator + "remove the parameter from authorization_endpoint in the " +
		"metadata."},
	"repeated-parameter": {do: operator + "send each parameter once."},

	// Either document.
	"wrong-type":    {do: correctDocument},
	"not-an-object": {do: correctDocument},
	"not-json":      {do: correctDocument},
	"not-json-type": {do: "{owner}: serve it with Content-Type: application/json."},
	"too-large":     {do: "{owner}: shorten the response."},
	"unreachable":   {do: "{unreachable}"},
	"server-error":  {do: "{owner}: check the log: the failure is on that side. You: then sign in again."},

	// The metadata of the authorization server.
	"server-page":    {do: operator + "answer with HTTP status 404 where there is no metadata."},
	"issuer-missing": {do: operator + "add issuer to the metadata: {named}, as the server names it."},
	"issuer-slash": {do: author + "in authorization_servers of the server's metadata, write the " +
		"authorization server as it calls itself, {issuer}. (Or the authorization server's operator: " +
		"change issuer to {named}; that changes its tokens, too.)"},
	"issuer-mismatch": {do: author + "if {issuer} is the authorization server that you mean, name it in " +
		"authorization_servers of the server's metadata, in place of {named}. If {named} is right, " +
		"the authorization server's operator: set issuer in its metadata to {named}. You: stop until one " +
		"of them has done so: if neither can say why the two differ, one server may be passing itself off " +
		"as the other."},
	"no-authorization-endpoint": {do: operator + "add authorization_endpoint to the metadata."},
	"no-token-endpoint":         {do: operator + "add token_endpoint to the metadata."},
	"no-pkce": {do: operator + "add \"code_challenge_methods_supported\": [\"S256\"] to the metadata, if " +
		"the authorization server supports PKCE. If it does not, build that in first."},
	"no-s256": {do: operator + "support the PKCE method S256, and list it in " +
		"code_challenge_methods_supported of the metadata. You can do nothing about it. The method plain " +
		"does not help: it sends the secret that it should prove along with the request, so whoever " +
		"reads the request can use a stolen code."},
	"no-server-metadata": {do: operator + "serve the metadata at {metadata}. If {named} is not the " +
		"authorization server, the server's author: correct authorization_servers in the metadata of the " +
		"server."},
	"default-endpoints": {do: operator + "serve authorization server metadata (RFC 8414) at {metadata}."},
	"no-code":           {do: operator + "list code in response_types_supported."},
	"scopes-left":       {do: author + "name fewer scopes, and only valid ones."},

	// Registration.
	"other-issuer": {do: "Register a client at the authorization server that the server names now, " +
		"{named}, and use its client ID.", flags: "-client-id ID -issuer URL"},
	"no-auth-method": {do: "You: use a client with one of the methods that the token endpoint accepts. " +
		"The authorization server's operator: or accept none, for public clients.",
		flags: "-client-id ID, with MRTR_CLIENT_SECRET or -client-key"},
	"registration-refused": {do: operator + "let clients register themselves, if the reason above is a " +
		"mistake. If only registration by hand is allowed, " + byHand, flags: "-client-id ID"},
	"redirect-refused": {do: operator + "accept the redirect URI that this program asked for, {asked}: a " +
		"program on a user's machine uses http on a loopback address, with any port (RFC 8252, section " +
		"7.3)."},
	"no-client-id":      {do: operator + "return client_id from the registration endpoint."},
	"registration-long": {do: operator + "return a shorter client_id and client_secret."},
	"secret-expiry":     {do: operator + "correct client_secret_expires_at: seconds since 1970, or 0."},
	"redirect-lost":     {do: operator + "register every redirect URI that the client asks for."},

	// The browser leaves and comes back.
	"iss-unsupported": {do: operator + "send iss in every authorization response, and set " +
		"authorization_response_iss_parameter_supported in the metadata."},
	"not-expected":   {do: tryAgain + "The answer belongs to no sign-in that is waiting."},
	"state-mismatch": {do: againElse + "it changes the parameter state."},
	"redirect-mismatch": {do: againElse + "it does not send the browser to the redirect URI of the " +
		"request."},
	"iss-mismatch": {do: "You: stop here, and ask the authorization server's operator whether {iss} is " +
		"theirs: an answer of another server is what a mix-up attack looks like. If it is the same " +
		"authorization server under another name, the authorization server's operator: send {issuer}, " +
		"the issuer in the metadata, in iss."},
	"iss-missing": {do: operator + "send iss in every answer, also with errors; or remove " +
		"authorization_response_iss_parameter_supported from the metadata."},
	"access-denied": {do: "You: sign in again, and allow the access there. If you did, the authorization " +
		"server's operator: allow it for this account."},
	"authorization-refused": {do: "{authorization}"},
	"no-code-returned":      {do: operator + "send code in the answer, or error."},

	// The token.
	"resource-refused": {do: operator + "accept the parameter resource (RFC 8707) with the URL of the " +
		"server, {resource}: it may have to be registered there as a resource or an API."},
	"client-refused": {do: "{client-refused}"},
	"grant-refused": {do: againElse + "the log says what does not fit. A code can be used once, for a " +
		"short time, with the redirect URI and the code verifier of the same sign-in."},
	"token-refused":   {do: "{token-refused}"},
	"no-access-token": {do: operator + "return access_token from the token endpoint."},
	"token-type":      {do: operator + "issue tokens of the type Bearer."},
	"token-long":      {do: operator + "issue shorter tokens: many servers accept 8 KiB of headers."},
	"token-bytes": {do: operator + "issue tokens of the characters that RFC 6750, section 2.1, " +
		"allows."},
	"token-form":     {do: operator + "answer with JSON."},
	"no-token-type":  {do: operator + "add token_type to the token response."},
	"scopes-missing": {do: "If a request is refused because a scope is missing, sign in again for it."},
	"revocation-refused": {do: "The token is deleted here. It may be good at the authorization server " +
		"until it expires."},
}
