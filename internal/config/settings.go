package config

import (
	"strings"
	"time"
)

// Setting describes one setting to people.
type Setting struct {
	// Key is its name in the file, as "redis.url"; Env in the environment, as "SMSD_REDIS_URL".
	Key, Env string
	// Default is the value of somebody who gives none, as it would stand in the file.
	Default string
	// Unset says in words what an empty Default means.
	Unset string
	// Help is one sentence with the unit.
	Help string
	// Secret says that it is never shown, and can be given as a file.
	Secret bool

	bind func(*Config) value
}

// Flag returns its name on the command line, without dashes: that of the environment in small letters. A
// secret has none, since everybody on a machine sees the arguments of its programs; its file has.
func (s Setting) Flag() string {
	name := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.Env, envPrefix)), "_", "-")
	if s.Secret {
		return name + "-file"
	}
	return name
}

// Switch says that it is true or false, so that its flag alone, without a value, can mean true.
func (s Setting) Switch() bool {
	_, is := s.bind(&Config{}).(switchValue)
	return is
}

const envPrefix = "SMSD_"

// mostConnections bounds what may be set: more than one machine has files for.
const mostConnections = 1_000_000

// maxRetention is ten years: longer than anybody may keep what is about people.
const maxRetention = 10 * 365 * 24 * time.Hour

// Settings returns every setting but the blocks of gateways, in the order in which they are shown.
func Settings() []Setting {
	return []Setting{
		{Key: "profile", Env: "SMSD_PROFILE", Default: "dev",
			Help: "what the instance is for: `dev`, or `production`, which refuses to start with what is fit for tests alone",
			bind: func(c *Config) value { return profileValue{&c.Profile} }},
		{Key: "http.listen", Env: "SMSD_HTTP_LISTEN", Default: "127.0.0.1:8080",
			Help: "host:port of the public API; port 0 is any free one",
			bind: func(c *Config) value { return wordValue{&c.HTTP.Listen, listenable} }},
		{Key: "http.public_url", Env: "SMSD_HTTP_PUBLIC_URL", Unset: "as the request says",
			Help: "the URL by which carriers reach the public API, as https://sms.example.com: what they are told to report to, and what their signatures are over",
			bind: func(c *Config) value { return publicURLValue{&c.HTTP.PublicURL} }},
		{Key: "http.max_connections", Env: "SMSD_HTTP_MAX_CONNECTIONS", Unset: "32768",
			Help: "clients' connections to the public API at one time, which wait beyond that; never more than the limit on open files allows without the 512 that smsd keeps for its own; 0 is 32,768",
			bind: func(c *Config) value { return wholeValue{&c.HTTP.MaxConnections, 0, mostConnections, "32768"} }},
		{Key: "http.max_connections_per_address", Env: "SMSD_HTTP_MAX_CONNECTIONS_PER_ADDRESS", Unset: "a sixteenth of http.max_connections",
			Help: "those that one client address (IPv6 by /64) may hold at one time, at most `http.max_connections`; more are closed at once, and those of `http.trusted_proxies` are not counted; 0 is a sixteenth, but 128 where that is less, and never more than half",
			bind: func(c *Config) value {
				return wholeValue{&c.HTTP.MaxConnectionsPerAddress, 0, mostConnections, "a sixteenth of http.max_connections"}
			}},
		{Key: "http.trusted_proxies", Env: "SMSD_TRUSTED_PROXIES", Unset: "none",
			Help: "networks (comma-separated CIDRs) of the proxies whose X-Forwarded-For is believed",
			bind: func(c *Config) value { return networksValue{&c.HTTP.TrustedProxies} }},
		{Key: "http.cors_origins", Env: "SMSD_CORS_ORIGINS", Unset: "none; in `dev` any loopback origin",
			Help: "web origins (comma-separated, as https://shop.example) that may call from a browser",
			bind: func(c *Config) value { return originsValue{&c.HTTP.CORSOrigins} }},
		{Key: "admin.listen", Env: "SMSD_ADMIN_LISTEN", Default: "127.0.0.1:8081",
			Help: "host:port of the operators' API: metrics, profiles and, with the mock gateway, the inbox",
			bind: func(c *Config) value { return wordValue{&c.Admin.Listen, listenable} }},
		{Key: "admin.hosts", Env: "SMSD_ADMIN_HOSTS", Unset: "none",
			Help: "host names (comma-separated, without a port) by which the operators' API is addressed, beside loopback and this machine's own name and addresses; others are answered 403",
			bind: func(c *Config) value { return hostsValue{&c.Admin.Hosts} }},
		{Key: "admin.token", Env: "SMSD_ADMIN_TOKEN", Unset: "none", Secret: true,
			Help: "bearer token of the operators' API; required in `production`, there of 16 characters or more, and on any address that is not loopback",
			bind: func(c *Config) value { return tokenValue{&c.Admin.Token} }},
		{Key: "redis.url", Env: "SMSD_REDIS_URL", Unset: "in this process", Secret: true,
			Help: "where counters and codes are: `redis://`, `rediss://` (TLS) or `unix://`, with user and password; `redis+cluster://h1:p,h2:p`, `redis+sentinel://h1:p,h2:p/master`, and `rediss` in their place",
			bind: func(c *Config) value { return redisURLValue{&c.Redis.URL} }},
		{Key: "redis.counters_url", Env: "SMSD_REDIS_COUNTERS_URL", Unset: "same as `redis.url`", Secret: true,
			Help: "a second server, for the counters alone; a send, and a verify that rules count, then make two trips, not one",
			bind: func(c *Config) value { return redisURLValue{&c.Redis.CountersURL} }},
		{Key: "redis.prefix", Env: "SMSD_REDIS_PREFIX", Default: "smsd",
			Help: "what every key starts with; instances that share counters share it",
			bind: func(c *Config) value { return wordValue{&c.Redis.Prefix, nameLike(32, "-_.:")} }},
		{Key: "redis.pool_size", Env: "SMSD_REDIS_POOL_SIZE", Default: "0", Unset: "10 per core",
			Help: "connections to each server; 0 is 10 per core",
			bind: func(c *Config) value { return wholeValue{&c.Redis.PoolSize, 0, 10_000, "10 per core"} }},
		{Key: "redis.budget", Env: "SMSD_REDIS_BUDGET", Default: "400ms",
			Help: "the time for all store work of one request, and again for its row in the database; what takes longer is answered 503",
			bind: func(c *Config) value { return spanValue{&c.Redis.Budget, 10 * time.Millisecond, 5 * time.Second} }},
		{Key: "database.url", Env: "SMSD_DATABASE_URL", Unset: "SQLite, in `data_dir/smsd.db`", Secret: true,
			Help: "where records, API keys and the answers of idempotent requests are: `postgres://`, with user and password; instances that belong together share it",
			bind: func(c *Config) value { return sqlURLValue{&c.Database.URL} }},
		{Key: "database.pool_size", Env: "SMSD_DATABASE_POOL_SIZE", Default: "10",
			Help: "connections to PostgreSQL, at most",
			bind: func(c *Config) value { return wholeValue{&c.Database.PoolSize, 2, 1000, ""} }},
		{Key: "on_records_failure", Env: "SMSD_ON_RECORDS_FAILURE", Default: "spool",
			Help: "what happens to sends while the database does not take their records: `spool` keeps these in a file under `data_dir` until it does, `refuse` answers 503",
			bind: func(c *Config) value {
				return wordValue{(*string)(&c.OnRecordsFailure), oneOf(string(Spool), string(Refuse))}
			}},
		{Key: "records.spool_bytes", Env: "SMSD_RECORDS_SPOOL_BYTES", Default: "268435456",
			Help: "how large that file may become; when it is full, sends are answered 503",
			bind: func(c *Config) value { return wholeValue{&c.Records.SpoolBytes, 1 << 20, 1 << 30, ""} }},
		{Key: "retention.verifications", Env: "SMSD_RETENTION_VERIFICATIONS", Default: "720h",
			Help: "how long the record of a verification is kept",
			bind: func(c *Config) value { return spanValue{&c.Retention.Verifications, time.Hour, maxRetention} }},
		{Key: "retention.decisions", Env: "SMSD_RETENTION_DECISIONS", Default: "4320h",
			Help: "how long it is kept what was decided about each attempt",
			bind: func(c *Config) value { return spanValue{&c.Retention.Decisions, time.Hour, maxRetention} }},
		{Key: "data_dir", Env: "SMSD_DATA_DIR", Default: "./data",
			Help: "folder for the database without `database.url`, what it does not take for a while, the secret made in `dev` and, across a clean stop, the counters and codes of an instance without Redis (a crash loses what came since the start)",
			bind: func(c *Config) value { return wordValue{&c.DataDir, notEmpty} }},
		{Key: "secret", Env: "SMSD_SECRET", Unset: "in `dev` made and kept under `data_dir`", Secret: true,
			Help: "root of the keys for codes and for sealing: 32 bytes or more in base64, or in hex if it is 64 or more hex digits; up to 8, comma-separated, newest first, to rotate; required in `production`",
			bind: func(c *Config) value { return secretsValue{&c.Secrets} }},
		{Key: "index_secret", Env: "SMSD_INDEX_SECRET", Unset: "derived from the oldest `secret`", Secret: true,
			Help: "keys the hashes of who is counted; changing it resets every counter",
			bind: func(c *Config) value { return secretValue{&c.IndexSecret} }},
		{Key: "token.issuer", Env: "SMSD_TOKEN_ISSUER", Default: "smsd",
			Help: "the `iss` of the tokens that a verify gives: a name, or a URL; backends compare it",
			bind: func(c *Config) value { return wordValue{&c.Token.Issuer, issuerLike} }},
		{Key: "token.ttl", Env: "SMSD_TOKEN_TTL", Default: "5m",
			Help: "how long such a token lives, 30s to 1h",
			bind: func(c *Config) value { return spanValue{&c.Token.TTL, 30 * time.Second, time.Hour} }},
		{Key: "policy_file", Env: "SMSD_POLICY_FILE", Unset: "the built-in policy",
			Help: "YAML of scenes and limits; watched, and read again on SIGHUP",
			bind: func(c *Config) value { return wordValue{&c.PolicyFile, anything} }},
		{Key: "gateway", Env: "SMSD_GATEWAY", Default: "mock",
			Help: "the gateway that messages go through: `mock`, or a name under `gateways`; or several, comma-separated, tried in order. Routes of the policy go before it",
			bind: func(c *Config) value { return gatewaysValue{&c.Gateway} }},
		{Key: "gateway_timeout", Env: "SMSD_GATEWAY_TIMEOUT", Default: "5s",
			Help: "the time that a gateway has to say what became of a message; what takes longer may or may not have left",
			bind: func(c *Config) value { return spanValue{&c.GatewayTimeout, 100 * time.Millisecond, 8 * time.Second} }},
		{Key: "allow_mock", Env: "SMSD_ALLOW_MOCK", Default: "false",
			Help: "lets `production` run with the mock gateway",
			bind: func(c *Config) value { return switchValue{&c.AllowMock} }},
		{Key: "allow_world", Env: "SMSD_ALLOW_WORLD", Default: "false",
			Help: "lets `production` run with scenes that serve every country",
			bind: func(c *Config) value { return switchValue{&c.AllowWorld} }},
		{Key: "local.rate", Env: "SMSD_LOCAL_RATE", Default: "2000",
			Help: "sends a second that this process takes, and as many verifies",
			bind: func(c *Config) value { return rateValue{&c.Local.Rate} }},
		{Key: "local.burst", Env: "SMSD_LOCAL_BURST", Default: "4000",
			Help: "how many of each it takes at once",
			bind: func(c *Config) value { return wholeValue{&c.Local.Burst, 1, maxRate, ""} }},
		{Key: "local.ip_rate", Env: "SMSD_LOCAL_IP_RATE", Default: "100",
			Help: "sends a second that it takes from one client address, and as many verifies",
			bind: func(c *Config) value { return rateValue{&c.Local.IPRate} }},
		{Key: "local.ip_burst", Env: "SMSD_LOCAL_IP_BURST", Default: "200",
			Help: "how many of each it takes from one client address at once",
			bind: func(c *Config) value { return wholeValue{&c.Local.IPBurst, 1, maxRate, ""} }},
		{Key: "log.level", Env: "SMSD_LOG_LEVEL", Default: "info",
			Help: "the least level that is logged: `debug`, `info`, `warn` or `error`",
			bind: func(c *Config) value { return wordValue{&c.Log.Level, oneOf("debug", "info", "warn", "error")} }},
		{Key: "log.format", Env: "SMSD_LOG_FORMAT", Unset: "`text`; `json` in `production`",
			Help: "how a log line is written: `text` or `json`",
			bind: func(c *Config) value { return wordValue{&c.Log.Format, oneOf("text", "json")} }},
	}
}
