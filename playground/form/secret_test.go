package form_test

import (
	"testing"

	"github.com/mrtr-playground/mrtr-playground/playground/form"
)

func TestSecretsAreNoticed(t *testing.T) {
	for _, name := range []string{
		"API key", "apiKey", "API_KEY", "APIKey", "x-api-key", "apikey", "password", "Your password",
		"newPassword", "user_pwd", "Passphrase",
		"token", "access_token", "GitHub token", "accessToken", "PIN", "pin", "PIN code", "Card PIN",
		"Credit card", "cardNumber", "CVV", "cvc",
		"client_secret", "Secret", "privateKey", "SSN", "Social Security Number", "one-time code", "OTP",
		"seed phrase", "credentials", "Verification code", "pass-word",
	} {
		if !form.AsksSecret(name) {
			t.Errorf("%q looks harmless", name)
		}
	}
}

func TestHarmlessNamesAreNotSecrets(t *testing.T) {
	for _, name := range []string{
		"", "name", "max_tokens", "maxTokens", "tokens", "token_count", "next_page_token", "pageToken",
		"key", "keyboard", "primary key", "Pin message",
		"pinned", "spin", "mapPins", "secretary", "passenger", "pass", "Boarding pass", "card", "Card title",
		"account", "duplicateOfId", "shipping", "compass", "secret_name",
		"message", "code", "postal code", "tokenizer",
	} {
		if form.AsksSecret(name) {
			t.Errorf("%q looks like a secret", name)
		}
	}
}
