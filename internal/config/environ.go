package config

import (
	"regexp"
	"slices"
	"strings"

	"smsd/internal/secret"
)

// serviceLink matches the variables that Kubernetes and Docker put into a container for a service that
// is itself called smsd or smsd-...: nobody meant them as settings.
// (kubernetes.io, Concepts, Service, "Environment variables"; docs.docker.com, "Legacy container links".)
var serviceLink = regexp.MustCompile(`^SMSD_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)=|^SMSD_(.+_)?PORT=(tcp|udp|sctp)://`)

// readEnvironment reads the variables that begin with SMSD_. An empty one is as if it were not there,
// since that is what ${NAME:-} makes of one that is not there.
func readEnvironment(environ []string) (layer, Faults) {
	known := environmentNames()
	l := layer{}
	var faults Faults
	for _, variable := range slices.Sorted(slices.Values(environ)) {
		name, text, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, envPrefix) || serviceLink.MatchString(variable) {
			continue
		}
		key, found := known[name]
		switch {
		case text == "":
		case !found:
			faults = append(faults, Fault{Origin: Origin{Name: name}, Message: unknown(name, names(known))})
		case !l[key].origin.IsDefault():
			faults = append(faults, Fault{Origin: Origin{Name: name}, Message: "stands in the environment a second time"})
			l[key] = entry{origin: l[key].origin, faulty: true}
		default:
			l[key] = entry{text: secret.New(text), origin: Origin{Name: name}}
		}
	}
	return l, append(faults, resolveFiles(l)...)
}

// environmentNames maps each variable to its key.
func environmentNames() map[string]string {
	known := map[string]string{}
	for _, s := range Settings() {
		known[s.Env] = s.Key
		if s.Secret {
			known[s.Env+"_FILE"] = s.Key + fileSuffix
		}
	}
	return known
}

func names(known map[string]string) []string {
	var all []string
	for name := range known {
		all = append(all, name)
	}
	return slices.Sorted(slices.Values(all))
}

// readFlags reads what was given on the command line.
func readFlags(given map[string]string) (layer, Faults) {
	known := flagNames()
	l := layer{}
	var faults Faults
	for _, flag := range names(given) {
		name := "--" + flag
		if key, found := known[name]; found {
			l[key] = entry{text: secret.New(given[flag]), origin: Origin{Name: name}}
			continue
		}
		faults = append(faults, Fault{Origin: Origin{Name: name}, Message: unknown(name, names(known))})
	}
	return l, append(faults, resolveFiles(l)...)
}

// flagNames maps each flag to its key.
func flagNames() map[string]string {
	known := map[string]string{}
	for _, s := range Settings() {
		key := s.Key
		if s.Secret {
			key += fileSuffix
		}
		known["--"+s.Flag()] = key
	}
	return known
}
