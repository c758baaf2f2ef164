package config

import (
	"cmp"
	"fmt"
	"strings"

	"smsd/internal/secret"
)

// Options are where [Load] reads. The zero Options give the defaults.
type Options struct {
	// File is the path of the YAML file; empty: none.
	File string
	// Environ is the environment, as os.Environ returns it.
	Environ []string
	// Flags are the given flags' values, by name without dashes.
	Flags map[string]string
}

// Load reads the settings. Its error is a [Faults], every fault at once; the Config returned with it
// holds what could be read, so that more can be checked in the same run.
func Load(o Options) (*Config, error) {
	file, faults := readFile(o.File)
	environment, more := readEnvironment(o.Environ)
	faults = append(faults, more...)
	flags, more := readFlags(o.Flags)
	faults = append(faults, more...)
	effective, err := merge(defaults(), file, environment, flags)
	if err != nil {
		return nil, Faults{{Message: err.Error()}}
	}
	c := &Config{origins: map[string]Origin{}, faulty: map[string]bool{}}
	faults = append(faults, c.apply(effective)...)
	faults = append(faults, c.applyGateways(effective)...)
	faults = append(faults, c.cross()...)
	return c, faults.Err()
}

// defaults is the lowest layer.
func defaults() layer {
	l := layer{}
	for _, s := range Settings() {
		if s.Default != "" {
			l[s.Key] = entry{text: secret.New(s.Default)}
		}
	}
	return l
}

// apply sets every setting that has a value; what is at fault keeps its default.
func (c *Config) apply(effective layer) Faults {
	var faults Faults
	for _, s := range Settings() {
		v := s.bind(c)
		e, found := effective[s.Key]
		if !found || !e.faulty && e.text.IsZero() && s.Default == "" {
			continue // empty is what it is without
		}
		c.origins[s.Key], c.faulty[s.Key] = e.origin, e.faulty
		if !e.faulty {
			faults = append(faults, c.take(s.Key, v, e.text.Reveal())...)
		}
		if c.faulty[s.Key] && s.Default != "" {
			_ = v.set(s.Default)
		}
	}
	return faults
}

// take sets v, which is the setting at key.
func (c *Config) take(key string, v value, text string) Faults {
	err := v.set(text)
	if err == nil {
		return nil
	}
	c.faulty[key] = true
	return Faults{c.Fault(key, err.Error())}
}

// cross checks what no setting shows alone, and fills in the defaults that depend on the profile.
func (c *Config) cross() Faults {
	if c.Log.Format == "" {
		c.Log.Format = map[Profile]string{Dev: "text", Production: "json"}[c.Profile]
	}
	var faults Faults
	if !loopback(c.Admin.Listen) && !c.given("admin.token") && c.Profile == Dev {
		faults = append(faults, c.Fault("admin.listen", fmt.Sprintf("%s is not loopback: set admin.token (SMSD_ADMIN_TOKEN), or listen on 127.0.0.1", c.Admin.Listen)))
	}
	if c.Admin.Listen == c.HTTP.Listen && !strings.HasSuffix(c.HTTP.Listen, ":0") {
		faults = append(faults, c.Fault("admin.listen", "is the same as http.listen; give the operators' API a port of its own"))
	}
	if most := cmp.Or(c.HTTP.MaxConnections, DefaultMaxConnections); c.HTTP.MaxConnectionsPerAddress > most {
		faults = append(faults, c.Fault("http.max_connections_per_address", fmt.Sprintf("must be at most http.max_connections, which is %d", most)))
	}
	if !c.given("redis.url") && !c.Redis.CountersURL.IsZero() {
		faults = append(faults, c.Fault("redis.counters_url", "needs redis.url as well: codes have no place"))
	}
	return faults
}

// given says whether somebody gave a value for key, be it a faulty one.
func (c *Config) given(key string) bool { return !c.origins[key].IsDefault() }

// Production returns every reason, as far as the settings tell, why an instance of this profile must
// not start; none in dev. Whether gateway and policy are fit for it is for who knows them.
func (c *Config) Production() Faults {
	if c.Profile != Production {
		return nil
	}
	var faults Faults
	for _, need := range []struct{ key, why string }{
		{"redis.url", "counters in one process are lost with it, and other instances do not see them"},
		{"secret", "every instance must have the same one; " + howToSecret},
		{"admin.token", "it guards the operators' API"},
	} {
		if !c.given(need.key) {
			faults = append(faults, Fault{Path: need.key, Message: "production needs it: " + need.why})
		}
	}
	if c.shortToken() {
		faults = append(faults, c.Fault("admin.token", fmt.Sprintf("production needs one of %d characters or more; %s", minToken, howToSecret)))
	}
	return faults
}

// minToken is from where on a token cannot be guessed by trying, if it is random.
const minToken = 16

func (c *Config) shortToken() bool {
	return !c.Admin.Token.IsZero() && len(c.Admin.Token.Reveal()) < minToken
}

// Warnings returns what is no fault, but better otherwise.
func (c *Config) Warnings() []string {
	var all []string
	if c.shortToken() && c.Profile != Production { // there it is a fault
		all = append(all, fmt.Sprintf("admin.token: has fewer than %d characters; %s", minToken, howToSecret))
	}
	if c.Profile == Production && !c.Embedded() && c.Database.URL.IsZero() {
		all = append(all, "database.url: without it, records, API keys and the answers of idempotent requests are in a file of this machine alone; "+
			"instances that share a Redis need a PostgreSQL that they share")
	}
	return all
}
