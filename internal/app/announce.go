package app

import (
	"fmt"

	"smsd/internal/config"
)

// announce says where the instance is: in the log to programs and, in dev, on Out to people.
func (a *App) announce() {
	a.logger.Info("serving", "api", a.PublicURL(), "admin", a.AdminURL(), "profile", string(a.cfg.Profile),
		"stores", a.storesKind(), "gateway", a.cfg.Gateway, "policy", a.policy.Current().Version)
	if a.cfg.Profile != config.Dev {
		return
	}
	fmt.Fprintf(a.out, `smsd is running: counters and codes in %s, messages to the gateway %q.

  API         %[3]s/api/v1/sms/send
  try it      %[3]s/
  inbox       %[4]s/mock/
  OpenAPI     %[3]s/openapi.json

Send a code, and read it in the inbox:

  curl -s %[3]s/api/v1/sms/send -H 'Content-Type: application/json' -d '{"phone": "+8613800138000", "scene": "login"}'
  curl -s%[5]s '%[4]s/mock/messages?limit=1'

`, a.storesKind(), a.cfg.Gateway, a.PublicURL(), a.AdminURL(), a.curlToken())
}

// curlToken is how curl shows the token that the operators' API asks for.
func (a *App) curlToken() string {
	if a.cfg.Admin.Token.IsZero() {
		return ""
	}
	return ` -H "Authorization: Bearer $SMSD_ADMIN_TOKEN"`
}

func (a *App) storesKind() string {
	if a.cfg.Embedded() {
		return "this process"
	}
	return "Redis"
}
