package webhook_test

import (
	"errors"
	"strings"
	"testing"

	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/webhook"
	"smsd/internal/secret"
)

func secrets(texts ...string) []secret.Text {
	var all []secret.Text
	for _, text := range texts {
		all = append(all, secret.New(text))
	}
	return all
}

// Which URLs are taken, without and with allow_private.
func TestURLs(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]struct{ without, with string }{
		"https://sms.example.com/messages?a=b": {},
		"https://8.8.8.8":                      {},
		"https://[2606:4700::1111]:8443/":      {},
		"http://sms.example.com/messages":      {without: "must be https"},
		"http://127.0.0.1:9000":                {without: "must be https"},
		"https://127.0.0.1:9000":               {without: "must not be reached"},
		"https://localhost":                    {without: "must not be reached"},
		"https://10.0.0.1":                     {without: "must not be reached"},
		"https://[::1]":                        {without: "must not be reached"},
		"https://[fe80::1%25eth0]":             {without: "must not be reached"},
		"https://[::ffff:10.0.0.1]":            {without: "must not be reached"},
		"https://[64:ff9b::10.0.0.1]":          {without: "must not be reached"},
		"https://169.254.169.254/latest":       {"must not be reached", "must not be reached"},
		"https://100.100.100.200":              {"must not be reached", "must not be reached"},
		"https://[2002:7f00:1::]":              {"must not be reached", "must not be reached"},
		"https://0.0.0.0":                      {"must not be reached", "must not be reached"},
		"http://8.8.8.8":                       {"must be https", "must not be reached"},
		"":                                     {"must be given", "must be given"},
		"sms.example.com":                      {"must be a URL", "must be a URL"},
		"https://":                             {"must be a URL", "must be a URL"},
		"https://:443/":                        {"must be a URL", "must be a URL"},
		"https:///messages":                    {"must be a URL", "must be a URL"},
		"https://a b/":                         {"must be a URL", "must be a URL"},
		"https://sms.example.com/" + strings.Repeat("x", 2048): {"must be a URL", "must be a URL"},
		"https://user:hunter2@sms.example.com":                 {"no user", "no user"},
		"https://sms.example.com/#hunter2":                     {"no part behind a #", "no part behind a #"},
		"ftp://sms.example.com":                                {"must begin with https://", "must begin with https://"},
		"file://sms.example.com/etc":                           {"must begin with https://", "must begin with https://"},
	} {
		for private, says := range map[bool]string{false: want.without, true: want.with} {
			_, err := webhook.Open(webhook.Config{URL: secret.New(url), Secrets: secrets(vectorSecret), AllowPrivate: private})
			faults, _ := errors.AsType[carrier.Faults](err)
			if (err == nil) != (says == "") || !strings.Contains(faults["url"], says) || len(faults) > 1 {
				t.Errorf("%s, allow_private %v: %v, want %q", url, private, err, says)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: the fault repeats it", url)
			}
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	for text, fine := range map[string]bool{
		"whsec_" + strings.Repeat("A", 32):         true,  // 24 bytes
		"whsec_" + strings.Repeat("A", 31):         false, // 23
		"whsec_" + strings.Repeat("A", 86):         true,  // 64
		"whsec_" + strings.Repeat("A", 88):         false, // 66
		newSecret:                                  true,
		strings.TrimRight(newSecret, "="):          true,
		strings.TrimPrefix(newSecret, "whsec_"):    false,
		"whpk_" + strings.Repeat("A", 44):          false,
		"whsec_hunter2!" + strings.Repeat("A", 32): false,
		"": false,
	} {
		_, err := webhook.Open(webhook.Config{URL: secret.New("https://sms.example.com"), Secrets: secrets(vectorSecret, text)})
		faults, _ := errors.AsType[carrier.Faults](err)
		if (err == nil) != fine || err != nil && !strings.HasPrefix(faults["secret"], "secret 2 of 2 must be whsec_ and 24 to 64 bytes") {
			t.Errorf("%s: %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the fault repeats %s", text)
		}
	}
	for n, fine := range map[int]bool{0: false, 1: true, 4: true, 5: false} {
		many := make([]string, n)
		for i := range many {
			many[i] = vectorSecret
		}
		if _, err := webhook.Open(webhook.Config{URL: secret.New("https://sms.example.com"), Secrets: secrets(many...)}); (err == nil) != fine {
			t.Errorf("%d secrets: %v", n, err)
		}
	}
	if _, err := webhook.Open(webhook.Config{}); strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("not every fault at once: %v", err)
	}
}
