package redisstore

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// spring-cloud-gateway#248, redis_rate#96: a node of a cluster refuses whoever takes it for a server alone, whatever keys
// it has, and the other way round.
func nodeIsNoServerAlone(t *testing.T, s *testserver.ClusterServers) {
	for _, n := range s.Nodes() {
		err := refused(t, options(n.URL()))
		if errors.Is(err, throttle.ErrUnavailable) || !strings.Contains(err.Error(), "redis+cluster://") {
			t.Errorf("%v", err)
		}
	}
}

func TestServerAloneIsNoCluster(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.Port(t))
	err := refused(t, options("redis+cluster://"+s.Address()))
	if errors.Is(err, throttle.ErrUnavailable) || !strings.Contains(err.Error(), "begin the URL with redis://") {
		t.Errorf("%v", err)
	}
	err = refused(t, options("redis+sentinel://"+s.Address()+"/main"))
	if errors.Is(err, throttle.ErrUnavailable) || !strings.Contains(err.Error(), "no sentinels") {
		t.Errorf("%v", err)
	}
}

// clusterPermissions are what the README says that a cluster needs.
const clusterPermissions = "resetchannels ~smsd:* &smsd:* +info " + neededCluster

// In a cluster one user has exactly the documented rules, and each that lacks is named.
func leastPermissionsInACluster(t *testing.T, s *testserver.ClusterServers) {
	all := func(rules string) string {
		for _, n := range s.Nodes() {
			command := []any{"acl", "setuser", "smsd", "reset", "on", ">hunter2"}
			for rule := range strings.FieldsSeq(rules) {
				command = append(command, rule)
			}
			n.Do(command...)
		}
		_, hosts, _ := strings.Cut(s.URL(), "@")
		return "redis+cluster://smsd:hunter2@" + hosts
	}
	c := open(t, all(clusterPermissions))
	if got := c.Warnings(); len(got) > 0 {
		t.Errorf("warnings: %q", got)
	}
	mustTake(t, c.Counters(), spreadGroups(c, "permitted", 9)...)
	if _, err := c.Codes().Put(context.Background(), "permitted", record()); err != nil {
		t.Error(err)
	}
	for rule, named := range map[string]string{
		"-cluster|slots": "cluster|slots", "-asking": "'asking'", "-time": "'time'", "-evalsha": "'evalsha'",
		"-eval": "'eval'", "-mget": "as MGET shows", "-set": "as SET shows", "-del": "as DEL shows",
	} {
		err := refused(t, options(all("~* +@all "+rule)))
		if !strings.Contains(err.Error(), named) || !strings.Contains(err.Error(), "permission") || !strings.Contains(err.Error(), "+asking") {
			t.Errorf("%s: %v", rule, err)
		}
	}
	url := all("~* +@all")
	if err := refused(t, options(strings.Replace(url, "hunter2", "wrong", 1))); !strings.Contains(err.Error(), "WRONGPASS") {
		t.Errorf("%v", err)
	}
}

// Of a cluster every primary is warned of by itself.
func evictingPrimaryIsWarnedOf(t *testing.T, s *testserver.ClusterServers) {
	n := s.Holder(0)
	n.Do("config", "set", "maxmemory-policy", "allkeys-lru")
	defer n.Do("config", "set", "maxmemory-policy", "noeviction")
	got := strings.Join(open(t, s.URL()).Warnings(), "\n")
	if !strings.Contains(got, n.Address()) || strings.Count(got, "allkeys-lru") != 1 {
		t.Errorf("warnings: %q", got)
	}
}

func otherIndexSecretOfACluster(t *testing.T, s *testserver.ClusterServers) {
	with := func(check string) func(*Options) { return func(o *Options) { o.IndexCheck = []byte(check) } }
	open(t, s.URL(), ownPrefix(t), with("one"))
	if err := refused(t, options(s.URL(), ownPrefix(t), with("two"))); !strings.Contains(err.Error(), "index_secret") {
		t.Errorf("the setting is not named: %v", err)
	}
}

// A server's certificate must come from an authority that is trusted: the system's, or that of SSL_CERT_FILE, which Go
// reads once for each process. So these tests run another one.
func TestTLS(t *testing.T) {
	t.Parallel()
	trusted := testserver.NewAuthority(t)
	user := testserver.User("smsd", "hunter2", permissions)
	s := testserver.Redis(t, trusted.TLS(), user)
	if got := startedElsewhere(t, s.URL(), trusted); got != "started" {
		t.Errorf("with its authority: %s", got)
	}
	got := startedElsewhere(t, s.URL(), testserver.NewAuthority(t))
	if !strings.Contains(got, "certificate is not trusted") || !strings.Contains(got, "SSL_CERT_FILE") || strings.Contains(got, "hunter2") {
		t.Errorf("with another authority: %s", got)
	}
	cluster := testserver.RedisCluster(t, trusted.TLS())
	if got := startedElsewhere(t, cluster.URL(), trusted); got != "started" {
		t.Errorf("a cluster: %s", got)
	}
	if got := startedElsewhere(t, cluster.URL(), testserver.NewAuthority(t)); !strings.Contains(got, "certificate is not trusted") {
		t.Errorf("a cluster with another authority: %s", got)
	}
}

const elsewhereURL = "SMSD_TEST_START_URL"

// startedElsewhere runs TestStartElsewhere in a process that trusts the authority, and returns what came of it.
func startedElsewhere(t *testing.T, url string, trusted *testserver.Authority) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStartElsewhere$", "-test.v")
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+trusted.File(), elsewhereURL+"="+url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, said, _ := strings.Cut(string(out), "came to: ")
	said, _, _ = strings.Cut(said, "\n")
	return said
}

func TestStartElsewhere(t *testing.T) {
	url := os.Getenv(elsewhereURL)
	if url == "" {
		return // it is the other process's part of TestTLS
	}
	c, err := Open(context.Background(), options(url))
	if err != nil {
		t.Logf("came to: %v", err)
		return
	}
	defer func() { _ = c.Close() }()
	mustTake(t, c.Counters(), limited("p", 9, time.Hour))
	t.Log("came to: started")
}
