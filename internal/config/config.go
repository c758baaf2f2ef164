package config

import (
	"net/netip"
	"path/filepath"
	"time"

	"smsd/internal/secret"
)

// Config is the effective settings. [Default] returns one that works on a developer's machine.
type Config struct {
	// Profile is what the instance is for: [Dev] or [Production], which refuses to start where
	// something is fit for tests alone.
	Profile Profile
	HTTP    HTTP
	Admin   Admin
	Redis   Redis
	// Database is where records, API keys and the answers of idempotent requests are.
	Database Database
	// OnRecordsFailure is what happens to sends while the database does not take their records.
	OnRecordsFailure OnRecordsFailure
	Records          Records
	Retention        Retention
	// DataDir is where this process keeps what must survive it: the database without a Database.URL and what one does not
	// take for a while, the secret made in dev, and the counters and codes of an instance without Redis. It is made when
	// first needed.
	DataDir string
	// Secrets are the keys' root, raw bytes, newest first: 1 to 8 of 32 bytes or more. Optional in
	// dev, where one is made and kept in DataDir.
	Secrets []secret.Text
	// IndexSecret keys the hashes of who is counted, raw bytes, 32 or more. Another one is another set
	// of counters. Optional: derived from the oldest of Secrets.
	IndexSecret secret.Text
	Token       Token
	// PolicyFile is the YAML of scenes and limits. Optional: empty is the built-in policy.
	PolicyFile string
	// Gateway names the gateways that messages go through, of Gateways, or "mock": at most 8, tried in order. A route of the policy
	// goes before it.
	Gateway []string
	// Gateways are the accounts at carriers, by name. Optional.
	Gateways map[string]Gateway
	// GatewayTimeout is how long a gateway has to say what became of a message: 100 ms to 8 s. What takes longer may or
	// may not have left.
	GatewayTimeout time.Duration
	// AllowMock and AllowWorld let production run with the mock gateway, and with scenes that serve
	// every country.
	AllowMock, AllowWorld bool
	Local                 Local
	Log                   Log

	origins map[string]Origin
	faulty  map[string]bool // the keys whose value could not be read
}

// Profile is what an instance is for.
type Profile string

// The profiles.
const (
	Dev        Profile = "dev"
	Production Profile = "production"
)

// DefaultMaxConnections is HTTP.MaxConnections where that is 0: at some 20 kB for one that is idle (measured with 8,000)
// they take 650 MB.
const DefaultMaxConnections = 32_768

// HTTP is the public listener.
type HTTP struct {
	Listen string // host:port; port 0 is any free one
	// PublicURL is where carriers reach it, as https://sms.example.com, without a slash at its end. Optional.
	PublicURL string
	// MaxConnections are those of clients at one time, as far as open files allow; 0 is DefaultMaxConnections.
	MaxConnections int
	// MaxConnectionsPerAddress are those of one client address, IPv6 by /64, that is not in TrustedProxies, at most MaxConnections;
	// 0 is a sixteenth of these, but 128 where that is less, and never more than half.
	MaxConnectionsPerAddress int
	// TrustedProxies are the peers whose X-Forwarded-For is believed. Optional.
	TrustedProxies []netip.Prefix
	// CORSOrigins may call from a browser, as https://shop.example. Optional; in dev any loopback
	// origin may too.
	CORSOrigins []string
}

// Admin is the operators' listener.
type Admin struct {
	Listen string // host:port; port 0 is any free one
	// Hosts are names, without a port, by which it is addressed beside loopback and this machine's own
	// names and addresses. Optional.
	Hosts []string
	// Token guards it. Optional on loopback in dev.
	Token secret.Text
}

// Redis is where counters and codes are, if not in this process.
type Redis struct {
	// URL is redis://, rediss:// or unix://, or redis+cluster://h1:p,h2:p or redis+sentinel://h1:p,h2:p/master or these with
	// rediss, with user and password. Empty: in this process.
	URL secret.Text
	// CountersURL is a second server for the counters. Optional: empty is URL.
	CountersURL secret.Text
	// Prefix starts every key.
	Prefix string
	// PoolSize is connections; 0 is 10 per core.
	PoolSize int
	// Budget bounds all store work of one request.
	Budget time.Duration
}

// Token is what a verify gives to prove itself to a backend.
type Token struct {
	Issuer string // its iss
	// TTL is how long it lives: 30 s to 1 h.
	TTL time.Duration
}

// Database is where records are.
type Database struct {
	// URL is postgres:// with user and password. Empty: SQLite, in DataDir.
	URL secret.Text
	// PoolSize is connections to PostgreSQL, at most.
	PoolSize int
}

// OnRecordsFailure says what happens to sends while their records cannot be written.
type OnRecordsFailure string

// The ways.
const (
	Spool  OnRecordsFailure = "spool"  // the records are kept in a file until they can be
	Refuse OnRecordsFailure = "refuse" // sends are answered 503
)

// Records is how records are written.
type Records struct {
	// SpoolBytes is how large the file of [Spool] may become.
	SpoolBytes int
}

// Retention is how long records are kept.
type Retention struct{ Verifications, Decisions time.Duration }

// Gateway is one account at a carrier.
type Gateway struct {
	// Kind is what speaks the carrier's protocol. Optional: the gateway's own name.
	Kind string
	// Rate is how many messages a second it gets at most, above 0; Burst how many at once. Optional: any, and a second's worth.
	Rate  float64
	Burst int
	// Settings are the kind's own, by name.
	Settings map[string]secret.Text
	// ReceiptsURL is where its carrier may report to, as https://sms.example.com/api/v1/gateways/main/receipts; empty without
	// HTTP.PublicURL.
	ReceiptsURL string
}

// Local sizes the limiters in front of the store. Rates are events a second, bursts events at once;
// sends and verifies have their own of the same size.
type Local struct {
	Rate    float64
	Burst   int
	IPRate  float64 // for each client address
	IPBurst int
}

// Log is what is logged, and how.
type Log struct {
	Level string // debug, info, warn or error
	// Format is text or json. Optional: text in dev, json in production.
	Format string
}

// Embedded says that counters and codes are in this process.
func (c *Config) Embedded() bool { return c.Redis.URL.IsZero() }

// DatabaseFile is where SQLite keeps its file, where there is no Database.URL.
func (c *Config) DatabaseFile() string { return filepath.Join(c.DataDir, "smsd.db") }

// Default returns the settings of somebody who set nothing.
func Default() *Config {
	c, err := Load(Options{})
	if err != nil {
		panic("config: the defaults do not pass their own checks: " + err.Error())
	}
	return c
}
