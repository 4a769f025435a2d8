package redact_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/redact"
)

// Each name is a secret from a place on, or nowhere.
func TestNamesSecret(t *testing.T) {
	const nowhere = redact.Parameter + 1
	for from, names := range map[redact.Place][]string{
		redact.Label: {
			"API key", "apiKey", "API_KEY", "APIKey", "x-api-key", "apikey", "password", "newPassword",
			"user_pwd", "token", "access_token", "accessToken", "PIN", "PIN code", "Card PIN",
			"client_secret",
			"registration_access_token", "id_token", "Verification code", "pass-word", "ConnectionString",
			"X-Amz-Credentials",
		},
		redact.Member: {
			"clientsecret", "accesstoken", "accesstokens", "access_tokens", "Authorization", "Set-Cookie",
			"Mcp-Session-Id", "device_code", "code_verifier", "pass", "sig", "Ocp-Apim-Subscription-Key",
			"authorization_code", "secretkeyvalue", "hapikey", "authkey", "auth",
		},
		redact.Parameter: {
			"key", "code", "X-Amz-Signature", "x_auth", "appkey", "mykey2",
			"client_assertion", "user_code",
		},
		nowhere: {
			"", "name", "page", "message", "max_tokens", "maxTokens", "prompt_tokens", "tokens",
			"token_count",
			"next_page_token", "pageToken", "progressToken", "token_type", "token_type_hint",
			"token_endpoint", "token_endpoint_auth_method", "token_endpoint_auth_methods_supported",
			"bearer_methods_supported", "authorization_endpoint", "authorization_servers",
			"authorization_response_iss_parameter_supported", "client_secret_expires_at", "secret_name",
			"code_challenge", "code_challenge_method", "error_code", "resource_metadata", "scope", "state",
			"secretary", "tokenizer", "Access-Control-Allow-Credentials", "passwordless",
			"client_assertion_type", "client_id", "iss",
		},
	} {
		for _, name := range names {
			for place := redact.Label; place <= redact.Parameter; place++ {
				if got := redact.NamesSecret(name, place); got != (place >= from) {
					t.Errorf("%q in place %d: %v", name, place, got)
				}
			}
		}
	}
}
