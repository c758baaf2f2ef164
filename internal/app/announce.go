package app

import (
	"fmt"
	"strings"

	"smsd/internal/config"
)

// announce says where the instance is: in the log to programs and, in dev, on Out to people.
func (a *App) announce() {
	a.logger.Info("serving", "api", a.PublicURL(), "admin", a.AdminURL(), "profile", string(a.cfg.Profile),
		"stores", a.storesKind(), "gateway", strings.Join(a.cfg.Gateway, ","), "policy", a.policy.Current().Version)
	if a.cfg.Profile == config.Dev {
		fmt.Fprintln(a.out, a.welcome())
	}
}

// welcome is what somebody who started it on a terminal needs next.
func (a *App) welcome() string {
	var b strings.Builder
	fmt.Fprintf(&b, "smsd is running: counters and codes in %s, messages to the gateway %q.\n\n", a.storesKind(), strings.Join(a.cfg.Gateway, ", "))
	fmt.Fprintf(&b, "  API         %s/api/v1/sms/send\n", a.PublicURL())
	fmt.Fprintf(&b, "  try it      %s/\n", a.PublicURL())
	if a.http.Mock != nil {
		fmt.Fprintf(&b, "  inbox       %s/mock/\n", a.AdminURL())
	}
	fmt.Fprintf(&b, "  OpenAPI     %s/openapi.json\n  metrics     %s/metrics\n\n", a.PublicURL(), a.AdminURL())
	if a.http.Mock == nil { // a message reaches somebody
		fmt.Fprintf(&b, "Send a code to a number of your own:\n\n%s", a.curlSend("+..."))
		return b.String()
	}
	fmt.Fprintf(&b, "Send a code, and read it in the inbox:\n\n%s", a.curlSend("+8613800138000"))
	fmt.Fprintf(&b, "  curl -s%s '%s/mock/messages?limit=1'\n", a.curlToken(), a.AdminURL())
	return b.String()
}

// curlSend is how curl sends a code.
func (a *App) curlSend(phone string) string {
	return fmt.Sprintf("  curl -s %s/api/v1/sms/send -H 'Content-Type: application/json' -d '{\"phone\": %q, \"scene\": \"login\"}'\n", a.PublicURL(), phone)
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
