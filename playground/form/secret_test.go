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

func TestRequestsSecret(t *testing.T) {
	for text, want := range map[string]bool{
		"Please enter your password": true, "Enter the API key of the account.": true,
		"What is your password?": true, "Paste an access key, please": true,
		"To go on, type your PIN code.":   true,
		"Never enter your password here.": false, "Do you want to reset your password?": false,
		"Enter the length of the password.":     true, // a warning that is wrong
		"Enter a name for the password policy.": false, "Please enter your name.": false,
		"We do not need your password.": false, "Enter max tokens": false, "": false,
	} {
		if got := form.RequestsSecret(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
