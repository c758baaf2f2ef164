package config

import (
	"encoding/base64"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/secret"
)

func load(t *testing.T, o Options) *Config {
	t.Helper()
	c, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c := Default()
	if c.Profile != Dev || c.HTTP.Listen != "127.0.0.1:8080" || c.Admin.Listen != "127.0.0.1:8081" || !c.Embedded() ||
		c.Redis.Prefix != "smsd" || c.Redis.Budget != 400*time.Millisecond || c.DataDir != "./data" ||
		len(c.Gateway) != 1 || c.Gateway[0] != "mock" || c.Gateways["mock"].Kind != "mock" || c.GatewayTimeout != 5*time.Second || c.AllowMock || c.AllowWorld ||
		c.Database.PoolSize != 10 || c.OnRecordsFailure != Spool || c.Records.SpoolBytes != 256<<20 ||
		c.Retention != (Retention{30 * 24 * time.Hour, 180 * 24 * time.Hour}) || c.DatabaseFile() != "data/smsd.db" ||
		c.Local != (Local{2000, 4000, 100, 200}) || c.Log != (Log{"info", "text"}) {
		t.Errorf("defaults: %+v", c)
	}
}

func TestTheLastSourceStands(t *testing.T) {
	t.Parallel()
	file := write(t, "http: {listen: 127.0.0.1:1}\nlog: {level: debug}\nredis: {prefix: a, budget: 1s}\n")
	c := load(t, Options{
		File:    file,
		Environ: []string{"SMSD_LOG_LEVEL=warn", "SMSD_REDIS_PREFIX=b", "HOME=/root", "SMSDX=1"},
		Flags:   map[string]string{"redis-prefix": "c"},
	})
	for key, want := range map[string]string{
		"data_dir":     "default",
		"http.listen":  file + ":1",
		"redis.budget": file + ":3",
		"log.level":    "SMSD_LOG_LEVEL",
		"redis.prefix": "--redis-prefix",
	} {
		if got := c.origins[key].String(); got != want {
			t.Errorf("%s came from %s, want %s", key, got, want)
		}
	}
	if c.HTTP.Listen != "127.0.0.1:1" || c.Redis.Budget != time.Second || c.Log.Level != "warn" || c.Redis.Prefix != "c" {
		t.Errorf("values: %+v", c)
	}
}

func TestAnEmptyValueIsAsIfItWereNotThere(t *testing.T) {
	t.Parallel()
	c := load(t, Options{
		File:    write(t, "profile: production\nredis: {url: \"\", prefix: }\nadmin:\nsecret: ''\nlog: {}\n"),
		Environ: []string{"SMSD_ADMIN_TOKEN=", "SMSD_HTTP_LISTEN="},
	})
	if c.HTTP.Listen != "127.0.0.1:8080" || c.Redis.Prefix != "smsd" || c.Log.Format != "json" {
		t.Errorf("values: %+v", c)
	}
	if faults := c.Production(); len(faults) != 3 {
		t.Errorf("an empty secret counts as given: %v", faults)
	}
	if empty := load(t, Options{File: write(t, "# nothing\n")}); empty.HTTP.Listen != "127.0.0.1:8080" {
		t.Errorf("an empty file: %+v", empty)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.1/32"), netip.MustParsePrefix("fd00::/8")}
	inFile := load(t, Options{File: write(t, "http:\n  trusted_proxies:\n    - 10.0.0.0/8\n    - \"::ffff:192.0.2.1\"\n    - fd00::/8\n")})
	inEnv := load(t, Options{Environ: []string{"SMSD_TRUSTED_PROXIES=10.0.0.0/8, 192.0.2.1,fd00::/8", "SMSD_CORS_ORIGINS=https://Shop.example, http://localhost:3000"}})
	if !slices.Equal(inFile.HTTP.TrustedProxies, want) || !slices.Equal(inEnv.HTTP.TrustedProxies, want) {
		t.Errorf("file %v, environment %v, want %v", inFile.HTTP.TrustedProxies, inEnv.HTTP.TrustedProxies, want)
	}
	if origins := []string{"https://shop.example", "http://localhost:3000"}; !slices.Equal(inEnv.HTTP.CORSOrigins, origins) {
		t.Errorf("origins %v", inEnv.HTTP.CORSOrigins)
	}
}

func TestSecretsInEveryWriting(t *testing.T) {
	t.Parallel()
	// 33 bytes need no padding, 32 do; 0xfb and 0xff make the letters in which the two base64 differ.
	raw := strings.Repeat("\xfb\xff", 16)
	for name, text := range map[string]string{
		"standard":          base64.StdEncoding.EncodeToString([]byte(raw)),
		"standard unpadded": base64.RawStdEncoding.EncodeToString([]byte(raw)),
		"url":               base64.URLEncoding.EncodeToString([]byte(raw)),
		"url unpadded":      base64.RawURLEncoding.EncodeToString([]byte(raw)),
		"hex":               hex.EncodeToString([]byte(raw)),
		"hex capitals":      strings.ToUpper(hex.EncodeToString([]byte(raw))),
	} {
		c := load(t, Options{Environ: []string{"SMSD_SECRET=" + text, "SMSD_INDEX_SECRET=" + text}})
		if len(c.Secrets) != 1 || c.Secrets[0].Reveal() != raw || c.IndexSecret.Reveal() != raw {
			t.Errorf("%s: not read as it was meant", name)
		}
	}
}

func TestSecretsNewestFirst(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret")
	text := strings.Repeat("0b", 32) + ", " + strings.Repeat("0a", 32) + "\r\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{Environ: []string{"SMSD_SECRET_FILE=" + file}},
		{File: write(t, "secret_file: "+file)},
		{File: write(t, "secret: hunter2"), Flags: map[string]string{"secret-file": file}},
	} {
		c := load(t, o)
		if len(c.Secrets) != 2 || c.Secrets[0].Reveal()[0] != 0x0b || c.Secrets[1].Reveal()[0] != 0x0a {
			t.Errorf("%+v: not read as it was meant", o)
		}
	}
}

// Kubernetes gives every container variables for each service; one that is called smsd must not be
// what keeps smsd from starting.
func TestServiceLinksAreNoSettings(t *testing.T) {
	t.Parallel()
	load(t, Options{Environ: []string{
		"SMSD_SERVICE_HOST=10.0.0.1", "SMSD_SERVICE_PORT=8080", "SMSD_SERVICE_PORT_HTTP=8080", "SMSD_PORT=tcp://10.0.0.1:8080",
		"SMSD_PORT_8080_TCP=tcp://10.0.0.1:8080", "SMSD_PORT_8080_TCP_PROTO=tcp", "SMSD_PORT_8080_TCP_PORT=8080", "SMSD_PORT_8080_TCP_ADDR=10.0.0.1",
		"SMSD_REDIS_SERVICE_HOST=10.0.0.2", "SMSD_REDIS_PORT=tcp://10.0.0.2:6379", "SMSD_REDIS_PORT_6379_TCP_ADDR=10.0.0.2",
	}})
}

func TestProductionListsEveryReason(t *testing.T) {
	t.Parallel()
	c := load(t, Options{Environ: []string{"SMSD_PROFILE=production", "SMSD_ADMIN_LISTEN=0.0.0.0:8081"}})
	var paths []string
	for _, f := range c.Production() {
		paths = append(paths, f.Path)
	}
	if want := []string{"redis.url", "secret", "admin.token"}; !slices.Equal(paths, want) {
		t.Errorf("reasons %v, want %v", paths, want)
	}
	whole := load(t, Options{Environ: []string{"SMSD_PROFILE=production", "SMSD_REDIS_URL=redis://localhost",
		"SMSD_SECRET=" + strings.Repeat("0a", 32), "SMSD_ADMIN_TOKEN=" + strings.Repeat("t", 16)}})
	if faults := whole.Production(); len(faults) != 0 {
		t.Errorf("reasons against a whole configuration: %v", faults)
	}
	if faults := Default().Production(); len(faults) != 0 {
		t.Errorf("reasons in dev: %v", faults)
	}
}

// What dev only warns of, production does not take.
func TestAShortToken(t *testing.T) {
	t.Parallel()
	short := "SMSD_ADMIN_TOKEN=" + strings.Repeat("t", 15)
	dev := load(t, Options{Environ: []string{short}})
	if warnings := dev.Warnings(); len(warnings) != 1 || len(dev.Production()) != 0 {
		t.Errorf("in dev: warnings %q, reasons %v", warnings, dev.Production())
	}
	c := load(t, Options{Environ: []string{"SMSD_PROFILE=production", "SMSD_REDIS_URL=redis://localhost",
		"SMSD_DATABASE_URL=postgres://localhost/smsd", "SMSD_SECRET=" + strings.Repeat("0a", 32), short}})
	want := "admin.token (SMSD_ADMIN_TOKEN): production needs one of 16 characters or more; make one with: openssl rand -base64 32"
	if faults := c.Production(); len(faults) != 1 || faults[0].Error() != want || len(c.Warnings()) != 0 {
		t.Errorf("in production: warnings %q, reasons %v", c.Warnings(), faults)
	}
}

// Instances that share counters but no database would each know keys, records and answers of their own.
func TestInstancesOfProductionShareADatabase(t *testing.T) {
	t.Parallel()
	for database, want := range map[string]int{"": 1, "postgres://user:hunter2@localhost/smsd": 0} {
		c := Default()
		c.Profile, c.Redis.URL, c.Database.URL = Production, secret.New("redis://localhost"), secret.New(database)
		if warnings := c.Warnings(); len(warnings) != want || want == 1 && !strings.HasPrefix(warnings[0], "database.url: ") {
			t.Errorf("with %q: %q", database, warnings)
		}
	}
	if warnings := Default().Warnings(); len(warnings) != 0 {
		t.Errorf("in dev: %q", warnings)
	}
}

func TestAFaultySecretIsNoMissingOne(t *testing.T) {
	t.Parallel()
	c, err := Load(Options{Environ: []string{"SMSD_PROFILE=production", "SMSD_SECRET=short", "SMSD_REDIS_URL=x", "SMSD_ADMIN_TOKEN=a b"}})
	if err == nil || len(c.Production()) != 0 {
		t.Errorf("error %v, and the same again: %v", err, c.Production())
	}
	missing, err := Load(Options{Environ: []string{"SMSD_PROFILE=production", "SMSD_SECRET_FILE=/nowhere", "SMSD_REDIS_URL_FILE=/nowhere", "SMSD_ADMIN_TOKEN_FILE=/nowhere"}})
	if err == nil || len(missing.Production()) != 0 {
		t.Errorf("error %v, and files that are not there again: %v", err, missing.Production())
	}
}

func TestGateways(t *testing.T) {
	t.Parallel()
	c := load(t, Options{File: write(t, "gateway: main\ngateways:\n  main: {kind: mock, key: hunter2}\n  mock:\n")})
	if g := c.Gateways["main"]; g.Kind != "mock" || g.Settings["key"].Reveal() != "hunter2" {
		t.Errorf("gateways: %+v", c.Gateways)
	}
}

// What is said of a gateway or a setting that nobody knows stands where it is given, and names what may have been meant.
func TestUnknownGateways(t *testing.T) {
	t.Parallel()
	file := write(t, "gateway: mian\ngateways:\n  main: {kind: mock}\n  west: {kind: moc}\n  odd:\n    hunter: 2\n    rats: 3\n")
	c := load(t, Options{File: file})
	kinds := []string{"mock"}
	for _, fault := range []struct{ got, want string }{
		{load(t, Options{Environ: []string{"SMSD_GATEWAY=carrier"}}).UnknownGateway("carrier", kinds).Error(),
			`gateway (SMSD_GATEWAY): "carrier": neither a block of gateways nor a kind; this version has mock`},
		{c.UnknownGateway("mian", kinds).Error(), `gateway (FILE:1): "mian": neither a block of gateways nor a kind; did you mean main?`},
		{c.UnknownGateway("west", kinds).Error(), `gateways.west.kind (FILE:4): "moc": no such kind of gateway; did you mean mock?`},
		{c.UnknownGateway("odd", kinds).Error(), `gateways.odd.kind (FILE:6): must be given, since "odd" is no kind of gateway; this version has mock`},
		{c.UnknownSetting("odd", "rats", []string{"url"}).Error(), `gateways.odd.rats (FILE:7): unknown; did you mean rate?`},
		{c.UnknownSetting("odd", "hunter", []string{"url"}).Error(),
			`gateways.odd.hunter (FILE:6): unknown; a gateway of kind odd has the settings url, kind, rate, burst`},
	} {
		if want := strings.ReplaceAll(fault.want, "FILE", file); fault.got != want {
			t.Errorf("got  %s\nwant %s", fault.got, want)
		}
	}
}

// Every gateway knows where its carrier may report to, once it is known where carriers reach the API.
func TestReceiptsURL(t *testing.T) {
	t.Parallel()
	c := load(t, Options{File: write(t, "http: {public_url: https://sms.example.com/smsd/}\ngateways: {main: {kind: mock}}\n")})
	if got := c.Gateways["main"].ReceiptsURL; got != "https://sms.example.com/smsd/api/v1/gateways/main/receipts" {
		t.Errorf("receipts go to %q", got)
	}
	if got := load(t, Options{}).Gateways["mock"].ReceiptsURL; got != "" {
		t.Errorf("without a public URL receipts go to %q", got)
	}
}
