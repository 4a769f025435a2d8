package doctor

// Remedies that several faults share.
const (
	correctDocument = "Correct the document, or the address that led to it."
	sameIssuer      = "Make the two identical, character by character: issuer in the metadata of the " +
		"authorization server, and its address in authorization_servers of the MCP server's metadata."
	tryAgain   = "Sign in again. "
	notNeeded  = ""
	correctASM = "Correct the metadata of the authorization server."
)

// faultRemedies are what to do about a fault of a sign-in, by its id.
var faultRemedies = map[string]remedy{
	// The server refuses the request.
	"no-challenge": {do: "Send WWW-Authenticate: Bearer with resource_metadata, so that clients find " +
		"the metadata without guessing."},
	"no-scope": {do: "Name the missing scopes in the parameter scope of WWW-Authenticate."},
	"no-error": {do: "Add error=\"insufficient_scope\" to WWW-Authenticate."},

	// The metadata of the server.
	"resource-unreachable": {do: "Correct the address in resource_metadata, or let clients reach it."},
	"resource-missing": {do: "Serve the metadata at the address that WWW-Authenticate names in " +
		"resource_metadata, or correct that address."},
	"resource-page": {do: notNeeded},
	"metadata-unread": {do: "Check the log of the MCP server: its metadata has to be readable without a " +
		"token."},
	"no-resource-metadata": {do: "Serve protected resource metadata (RFC 9728), and name its address in " +
		"WWW-Authenticate."},
	"resource-unnamed": {do: "Add resource to the metadata: the URL of the MCP server."},
	"resource-wider":   {do: "Name the URL of the MCP server itself in resource."},
	"resource-mismatch": {do: "Connect to the URL that the metadata names, or set resource in the " +
		"metadata to the URL that clients use."},
	"no-authorization-servers": {do: "List the issuer of the authorization server in authorization_servers."},
	"offline-access-listed":    {do: "Leave offline_access out of scopes_supported."},
	"bad-issuer":               {do: "Name the issuer in authorization_servers without a query."},

	// Addresses in either document.
	"bad-address": {do: "Write the whole address, with https://."},
	"fragment":    {do: "Remove the fragment from the address."},
	"not-https":   {do: "Use https for this address."},
	"bad-query":   {do: correctASM},
	"reserved-parameter": {do: "Remove the parameter from the authorization endpoint in the metadata: " +
		"clients set it."},
	"repeated-parameter": {do: "Send each parameter once."},

	// Either document.
	"wrong-type":    {do: correctDocument},
	"not-an-object": {do: correctDocument},
	"not-json":      {do: correctDocument},
	"not-json-type": {do: "Serve it with Content-Type: application/json."},
	"too-large":     {do: "Shorten the document."},
	"unreachable": {do: "Check the address, and that the server behind it runs. If the address is wrong," +
		" correct it in the metadata that names it."},
	"server-error": {do: "Check the log of the server that answered."},

	// The metadata of the authorization server.
	"server-page":    {do: notNeeded},
	"issuer-missing": {do: "Add issuer to the metadata of the authorization server."},
	"issuer-slash":   {do: sameIssuer},
	"issuer-mismatch": {do: sameIssuer + " If you cannot say why they differ, another server may be " +
		"passing itself off as yours."},
	"no-authorization-endpoint": {do: "Add authorization_endpoint to the metadata."},
	"no-token-endpoint":         {do: "Add token_endpoint to the metadata."},
	"no-pkce": {do: "If the server supports PKCE, add \"code_challenge_methods_supported\": [\"S256\"] " +
		"to its metadata. If it does not, it needs that support."},
	"no-s256": {do: "Support the PKCE method S256 and list it in code_challenge_methods_supported. The " +
		"method plain protects nothing that is seen on the way."},
	"no-server-metadata": {do: "Serve the metadata at the first of the addresses that were tried. If " +
		"the issuer is wrong, correct it in authorization_servers of the MCP server's metadata."},
	"default-endpoints": {do: "Serve authorization server metadata (RFC 8414)."},
	"no-code":           {do: "List code in response_types_supported."},
	"scopes-left":       {do: "Name fewer scopes, and only valid ones."},

	// Registration.
	"other-issuer": {do: "Register a client at the authorization server that the MCP server names now, " +
		"and use its client ID.", flags: "-client-id ID -issuer URL"},
	"no-auth-method": {do: "Use a client with one of the methods that the token endpoint accepts, or " +
		"let it accept none for public clients.", flags: "-client-id ID, with MRTR_CLIENT_SECRET or " +
		"-client-key"},
	"registration-refused": {do: "Do what the reason says. If the server registers clients by hand only," +
		" register this program there and use its client ID.", flags: "-client-id ID"},
	"redirect-refused": {do: "Let the authorization server accept this redirect URI: for a program on a " +
		"user's machine, http on a loopback address with any port (RFC 8252). Or register this program " +
		"there by hand and use its client ID.", flags: "-client-id ID"},
	"no-client-id":      {do: "Return client_id from the registration endpoint."},
	"registration-long": {do: "Return a shorter client_id and client_secret."},
	"secret-expiry":     {do: "Correct client_secret_expires_at: seconds since 1970, or 0."},
	"redirect-lost":     {do: "Register every redirect URI that the client asks for."},

	// The browser leaves and comes back.
	"iss-unsupported": {do: "Send iss in every authorization response, and set " +
		"authorization_response_iss_parameter_supported in the metadata."},
	"not-expected":   {do: tryAgain + "The answer belongs to no sign-in that is waiting."},
	"state-mismatch": {do: tryAgain + "If it happens again, the authorization server changes state."},
	"redirect-mismatch": {do: tryAgain + "If it happens again, the authorization server does not send " +
		"the browser to the redirect URI of the request."},
	"iss-mismatch": {do: "Do not go on if you do not know that server: an answer of another one is what " +
		"a mix-up attack looks like. If it is yours, send its own issuer in iss."},
	"iss-missing": {do: "Let the authorization server send iss in every answer, also with errors; or " +
		"remove authorization_response_iss_parameter_supported from its metadata."},
	"access-denied": {do: tryAgain + "Allow the access there. If you did, the administrator of the " +
		"authorization server has to allow it for your account."},
	"authorization-refused": {do: "Do what the reason says. It is often the client ID, the redirect URI " +
		"or a scope that the authorization server does not know."},
	"no-code-returned": {do: "Let the authorization server send code in its answer, or error."},

	// The token.
	"resource-refused": {do: "Let the authorization server accept resource (RFC 8707) with the URL of " +
		"the MCP server: it may have to be registered there as a resource or an API."},
	"client-refused": {do: tryAgain + "If it is refused again, check the client ID and its secret, and " +
		"the authentication that the token endpoint expects."},
	"grant-refused": {do: tryAgain + "A code is good once, for a short time, and with the same redirect " +
		"URI and code verifier. If it is refused again, the log of the authorization server says which " +
		"does not fit."},
	"token-refused":      {do: "Do what the reason says, then sign in again."},
	"no-access-token":    {do: "Return access_token from the token endpoint."},
	"token-type":         {do: "Issue tokens of the type Bearer."},
	"token-long":         {do: "Issue shorter tokens: many servers accept 8 KiB of headers."},
	"token-bytes":        {do: "Issue tokens of the characters that RFC 6750, section 2.1, allows."},
	"token-form":         {do: "Answer with JSON."},
	"no-token-type":      {do: "Add token_type to the token response."},
	"scopes-missing":     {do: "If a request is refused for want of a scope, sign in again for it."},
	"revocation-refused": {do: "The token is deleted here. It may be good at the server until it expires."},
}
