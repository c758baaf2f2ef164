package aws_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/aws"
	"smsd/internal/gateway/gatewaytest"
)

// bare makes the machine one that knows nothing of AWS, but for env.
func bare(t *testing.T, env map[string]string) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(home, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(home, "credentials"))
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	for name, value := range env {
		t.Setenv(name, value)
	}
}

// machine opens a gateway that has no keys of its own, in front of a fake.
func machine(t *testing.T) gateway.Driver {
	t.Helper()
	f := fake(nil)
	f.SessionToken = token
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	g, err := aws.Open(aws.Config{Region: home, Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// keys is a machine's source of credentials, as a container has it. It counts who asks.
func keys(t *testing.T, answer http.HandlerFunc) (url string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func expiring(in time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"AccessKeyId": %q, "SecretAccessKey": %q, "Token": %q, "Expiration": %q}`,
			id.Reveal(), hidden.Reveal(), token.Reveal(), time.Now().Add(in).UTC().Format(time.RFC3339))
	}
}

func TestCredentialsOfTheEnvironment(t *testing.T) {
	bare(t, map[string]string{"AWS_ACCESS_KEY_ID": id.Reveal(), "AWS_SECRET_ACCESS_KEY": hidden.Reveal(), "AWS_SESSION_TOKEN": token.Reveal()})
	if _, err := machine(t).Send(t.Context(), message("+447400123456")); err != nil {
		t.Error(err)
	}
}

// Credentials of a role are fetched by the first send, not by Open, and kept until they expire.
func TestCredentialsOfARole(t *testing.T) {
	for name, c := range map[string]struct {
		lasts time.Duration
		asked int64 // by three sends
	}{"that last": {time.Hour, 1}, "that have expired": {-time.Hour, 3}} {
		t.Run(name, func(t *testing.T) {
			url, asked := keys(t, expiring(c.lasts))
			bare(t, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": url})
			g := machine(t)
			if n := asked.Load(); n != 0 {
				t.Errorf("Open has asked %d times", n)
			}
			for range 3 {
				if _, err := g.Send(t.Context(), message("+447400123456")); err != nil {
					t.Error(err)
				}
			}
			if n := asked.Load(); n != c.asked {
				t.Errorf("asked %d times, want %d", n, c.asked)
			}
		})
	}
}

// Open does not ask the instance where it is, though the environment may wish it.
func TestOpenAsksNobody(t *testing.T) {
	url, asked := keys(t, http.NotFound)
	bare(t, map[string]string{"AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": url, "AWS_DEFAULTS_MODE": "auto"})
	machine(t)
	if n := asked.Load(); n != 0 {
		t.Errorf("the instance was asked %d times", n)
	}
}

// Without credentials nothing is sent, and the error says what to do and nothing else.
func TestNoCredentials(t *testing.T) {
	refusing, _ := keys(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"code": "AccessDenied", "message": "T0KEN"}`)
	})
	for name, c := range map[string]struct {
		env    map[string]string
		reason gateway.Reason
		says   string
	}{
		"none at all": {nil, gateway.Configuration, "there are no credentials"},
		"refused":     {map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": refusing}, gateway.Configuration, "AWS says AccessDenied"},
		"out of reach": {map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": gatewaytest.Nobody(t), "AWS_MAX_ATTEMPTS": "1"},
			gateway.Temporary, "out of reach"},
	} {
		t.Run(name, func(t *testing.T) {
			bare(t, c.env)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := machine(t).Send(ctx, message("+447400123456"))
			gatewaytest.WantError(t, err, c.reason, gateway.NotSent, c.says)
			if strings.Contains(fmt.Sprintf("%+v", err), "T0KEN") {
				t.Error("the error repeats what the source said")
			}
		})
	}
}

// A source that does not answer holds up a send no longer than its context.
func TestCredentialsThatDoNotCome(t *testing.T) {
	over := make(chan struct{})
	url, _ := keys(t, func(http.ResponseWriter, *http.Request) { <-over })
	t.Cleanup(func() { close(over) }) // before the server's, which waits for its calls
	bare(t, map[string]string{"AWS_CONTAINER_CREDENTIALS_FULL_URI": url})
	g := machine(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := g.Send(ctx, message("+447400123456"))
	gatewaytest.WantError(t, err, gateway.Temporary, gateway.NotSent, "before there were credentials")
}

// What can't be read of the machine's files is a fault of the settings, told without what is in them.
func TestConfigurationOfTheMachine(t *testing.T) {
	bare(t, map[string]string{"AWS_PROFILE": "T0KEN"})
	_, err := aws.Open(aws.Config{Region: home})
	if err == nil || !strings.Contains(err.Error(), "AWS_PROFILE") || strings.Contains(err.Error(), "T0KEN") {
		t.Errorf("%v", err)
	}
}

// The endpoint of the environment, which may be in clear, is not where messages go.
func TestEndpointOfTheEnvironment(t *testing.T) {
	url, asked := keys(t, http.NotFound)
	bare(t, map[string]string{"AWS_ENDPOINT_URL": url, "AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2": url, "HTTPS_PROXY": "http://127.0.0.1:1"})
	g := open(t, aws.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := g.Send(ctx, message("+447400123456"))
	gatewaytest.WantError(t, err, gateway.Temporary, gateway.NotSent, "")
	if n := asked.Load(); n != 0 {
		t.Errorf("it was asked %d times", n)
	}
}
