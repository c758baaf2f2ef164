// Package archtest holds the map of the house: on which floor each package stands, and which packages
// an outside module may be imported by. Its test fails on a wrong arrow and on a package or a module
// that is not on the map.
package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// floors: a package imports only packages of lower floors. Packages of one floor never import each other.
var floors = map[string]int{
	"smsd/internal/phone":                     0,
	"smsd/internal/secret":                    0,
	"smsd/internal/address":                   0,
	"smsd/internal/requestid":                 0,
	"smsd/internal/deadline":                  0,
	"smsd/internal/pause":                     0,
	"smsd/internal/sweep":                     0,
	"smsd/internal/keyring":                   0,
	"smsd/internal/archtest":                  0,
	"smsd/internal/testserver":                0,
	"smsd/lua":                                0,
	"smsd/migrations":                         0,
	"smsd/internal/throttle":                  1,
	"smsd/internal/gateway":                   1,
	"smsd/internal/records":                   1,
	"smsd/internal/apikey":                    1,
	"smsd/internal/idempotency":               1,
	"smsd/internal/proof":                     1,
	"smsd/internal/apikey/keytest":            2,
	"smsd/internal/proof/prooftest":           2,
	"smsd/internal/sms":                       2,
	"smsd/internal/gateway/gatewaytest":       3,
	"smsd/internal/gateway/carrier":           2,
	"smsd/internal/policy":                    3,
	"smsd/internal/store/memstore":            3,
	"smsd/internal/store/redisstore":          3,
	"smsd/internal/store/sqlstore":            3,
	"smsd/internal/store/storetest":           3,
	"smsd/internal/gateway/mock":              3,
	"smsd/internal/gateway/webhook":           3,
	"smsd/internal/gateway/twilio":            3,
	"smsd/internal/gateway/twilio/twiliofake": 3,
	"smsd/internal/gateway/vonage":            3,
	"smsd/internal/gateway/vonage/vonagefake": 3,
	"smsd/internal/httpapi":                   4,
	"smsd/internal/config":                    4,
	"smsd/internal/app":                       5,
	"smsd/internal/bench":                     6,
	"smsd/cmd/smsd":                           6,

	"smsd/internal/gateway/aliyun":              3,
	"smsd/internal/gateway/aliyun/aliyunfake":   3,
	"smsd/internal/gateway/tencent":             3,
	"smsd/internal/gateway/tencent/tencentfake": 3,
	"smsd/internal/gateway/aws":                 3,
	"smsd/internal/gateway/aws/awsfake":         3,
	"smsd/internal/gateway/rehearsal":           4,
}

// testOnly are imported by tests alone. What they import themselves is as bounded as for all others.
var testOnly = []string{
	"smsd/internal/archtest",
	"smsd/internal/bench",
	"smsd/internal/testserver",
	"smsd/internal/apikey/keytest",
	"smsd/internal/proof/prooftest",
	"smsd/internal/store/storetest",
	"smsd/internal/gateway/gatewaytest",
}

// homes: the packages, and no others, that import an outside module.
var homes = map[string][]string{
	"github.com/nyaruka/phonenumbers":     {"smsd/internal/phone"},
	"github.com/google/uuid":              {"smsd/internal/requestid", "smsd/internal/sms"},
	"github.com/prometheus/client_golang": {"smsd/internal/throttle", "smsd/internal/records", "smsd/internal/apikey", "smsd/internal/idempotency", "smsd/internal/gateway", "smsd/internal/gateway/gatewaytest", "smsd/internal/proof", "smsd/internal/sms", "smsd/internal/policy", "smsd/internal/store/redisstore", "smsd/internal/httpapi", "smsd/internal/app"},
	"golang.org/x/time":                   {"smsd/internal/throttle", "smsd/internal/gateway", "smsd/internal/records", "smsd/internal/sms", "smsd/internal/httpapi", "smsd/internal/app"},
	"golang.org/x/text":                   {"smsd/internal/sms"},
	"golang.org/x/sync":                   {"smsd/internal/app"},
	"golang.org/x/net":                    {"smsd/internal/app"},
	"github.com/redis/go-redis":           {"smsd/internal/store/redisstore", "smsd/internal/testserver"},
	"github.com/sony/gobreaker":           {"smsd/internal/store/redisstore"},
	"github.com/google/renameio":          {"smsd/internal/store/memstore"},
	"go.yaml.in/yaml":                     {"smsd/internal/policy", "smsd/internal/config"},
	"github.com/fsnotify/fsnotify":        {"smsd/internal/policy"},
	"github.com/go-playground/validator":  {"smsd/internal/httpapi"},
	"github.com/go-json-experiment/json":  {"smsd/internal/httpapi", "smsd/internal/proof"},
	"github.com/golang-jwt/jwt":           {"smsd/internal/proof", "smsd/internal/gateway/vonage", "smsd/internal/gateway/vonage/vonagefake"},
	"github.com/aws":                      {"smsd/internal/gateway/aws"},
	"github.com/labstack/echo":            {"smsd/internal/httpapi"},
	"github.com/knadh/koanf":              {"smsd/internal/config"},
	"github.com/spf13/cobra":              {"smsd/cmd/smsd"},
	"database/sql":                        {"smsd/internal/store/sqlstore"},
	"modernc.org/sqlite":                  {"smsd/internal/store/sqlstore"},
	"github.com/jackc/pgx":                {"smsd/internal/store/sqlstore", "smsd/internal/testserver"},
	"github.com/pressly/goose":            {"smsd/internal/store/sqlstore"},
}

// overHTTP speaks HTTP though it stands below those who know a status: it is what drivers share, and none of the domain imports it.
const overHTTP = "smsd/internal/gateway/carrier"

// faults names what is wrong with what pkg imports.
func faults(pkg string, imports []string) []string {
	floor, known := floors[pkg]
	if !known {
		return []string{pkg + ": not on the map; give it a floor in internal/archtest"}
	}
	var found []string
	for _, imported := range imports {
		if fault := arrow(pkg, floor, imported); fault != "" {
			found = append(found, fault)
		}
	}
	return found
}

func arrow(pkg string, floor int, imported string) string {
	switch {
	case slices.Contains(testOnly, imported):
		return fmt.Sprintf("%s imports %s, which is for tests", pkg, imported)
	case strings.HasPrefix(imported, "smsd/"):
		if below, known := floors[imported]; known && below >= floor {
			return fmt.Sprintf("%s (floor %d) imports %s (floor %d)", pkg, floor, imported, below)
		}
	case imported == "net/http" && floor < 3 && pkg != overHTTP:
		return fmt.Sprintf("%s (floor %d) imports net/http: the domain never sees a status", pkg, floor)
	default:
		return away(pkg, imported)
	}
	return ""
}

// within reports whether imported is a package of module.
func within(imported, module string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}

// away says whether imported is an outside module that has no home in pkg. The standard library has
// no dot in its first element.
func away(pkg, imported string) string {
	for module, packages := range homes {
		if within(imported, module) {
			if slices.Contains(packages, pkg) {
				return ""
			}
			return fmt.Sprintf("%s imports %s, whose home is %s", pkg, imported, strings.Join(packages, ", "))
		}
	}
	if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
		return fmt.Sprintf("%s imports %s, which has no home; give it one in internal/archtest", pkg, imported)
	}
	return ""
}
