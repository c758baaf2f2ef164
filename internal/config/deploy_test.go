package config

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What is shipped for deployments names settings that exist, with values that pass.
func TestTheComposeFileIsReadAndItsSettingsPass(t *testing.T) {
	t.Parallel()
	var compose struct {
		Services map[string]struct {
			Environment map[string]string
			Ports       []string
			Healthcheck struct{ Test []string }
			Profiles    []string
			Volumes     []string
			Build       string
			Image       string
			Command     []string
		}
		Volumes map[string]any
	}
	text := read(t, "../../docker-compose.yml")
	if err := yaml.Unmarshal([]byte(text), &compose); err != nil {
		t.Fatal(err)
	}
	c := load(t, Options{Environ: variables(compose.Services["smsd"].Environment)})
	if c.Embedded() || c.Admin.Token.IsZero() {
		t.Errorf("smsd: %+v", compose.Services["smsd"])
	}
	if command := strings.Join(compose.Services["redis"].Command, " "); !strings.Contains(command, "--maxmemory-policy noeviction") || !strings.Contains(command, "--appendonly yes") {
		t.Errorf("redis: %s", command)
	}
	for name, s := range compose.Services {
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: port %s is open to others", name, port)
			}
		}
		if s.Build == "" && (len(s.Healthcheck.Test) == 0 || s.Image == "") {
			t.Errorf("%s: no health check or no image", name)
		}
		for _, v := range s.Volumes {
			if volume, _, _ := strings.Cut(v, ":"); !named(compose.Volumes, volume) {
				t.Errorf("%s: volume %s is not named", name, volume)
			}
		}
	}
	if p := compose.Services["postgres"].Profiles; len(p) != 0 || c.Database.URL.IsZero() {
		t.Errorf("smsd is not on the PostgreSQL that is there: profiles %v", p)
	}
}

func named(volumes map[string]any, name string) bool { _, found := volumes[name]; return found }

// fallback is what Compose takes for ${NAME:-fallback} where NAME is not set.
var fallback = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`)

func variables(environment map[string]string) []string {
	var all []string
	for name, value := range environment {
		all = append(all, name+"="+fallback.ReplaceAllString(value, "$1"))
	}
	return all
}

func TestTheImageAndTheUnitNameSettingsThatPass(t *testing.T) {
	t.Parallel()
	assignment, comment := regexp.MustCompile(`SMSD_\w+=[^ \n]+`), regexp.MustCompile(`(?m)^#.*$`)
	for _, file := range []string{"../../Dockerfile", "../../deploy/smsd.service"} {
		found := assignment.FindAllString(comment.ReplaceAllString(read(t, file), ""), -1)
		if len(found) == 0 {
			t.Errorf("%s sets nothing", file)
		}
		load(t, Options{Environ: found})
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
