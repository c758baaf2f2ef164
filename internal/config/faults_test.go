package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each file has one fault, which its first line states; FILE is the file's own path.
func TestEachFaultIsNamedWithItsPathAndLine(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/faults/*.yaml")
	if err != nil || len(files) < 50 {
		t.Fatalf("found %d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(string(text), "\n")
			want := strings.ReplaceAll(strings.TrimPrefix(first, "# fault: "), "FILE", file)
			oneFault(t, Options{File: file}, want)
		})
	}
}

// oneFault loads and expects want at the beginning of the only fault, which never holds a secret.
func oneFault(t *testing.T, o Options, want string) {
	t.Helper()
	_, err := Load(o)
	var faults Faults
	if !errors.As(err, &faults) {
		t.Fatalf("error %v, want %q", err, want)
	}
	if len(faults) != 1 || !strings.HasPrefix(faults[0].Error(), want) {
		t.Errorf("faults:\n%v\nwant one:\n%s", faults, want)
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error holds a secret: %v", err)
	}
}

func TestFaultsOfTheEnvironmentAndTheCommandLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environ []string
		flags   map[string]string
		want    string
	}{
		"unknown":          {environ: []string{"SMSD_REDIS_ULR=hunter2"}, want: "SMSD_REDIS_ULR: unknown; did you mean SMSD_REDIS_URL?"},
		"left out block":   {environ: []string{"SMSD_LISTEN=:80"}, want: "SMSD_LISTEN: unknown; did you mean SMSD_"},
		"port of nothing":  {environ: []string{"SMSD_HTTP_PORT=80"}, want: "SMSD_HTTP_PORT: unknown; did you mean SMSD_HTTP_LISTEN?"},
		"no file for it":   {environ: []string{"SMSD_PROFILE_FILE=x"}, want: "SMSD_PROFILE_FILE: unknown; did you mean SMSD_PROFILE?"},
		"twice":            {environ: []string{"SMSD_PROFILE=dev", "SMSD_PROFILE=production"}, want: "SMSD_PROFILE: stands in the environment a second time"},
		"value":            {environ: []string{"SMSD_REDIS_BUDGET=soon"}, want: `redis.budget (SMSD_REDIS_BUDGET): "soon": must be a duration`},
		"secret":           {environ: []string{"SMSD_SECRET=hunter2!"}, want: "secret (SMSD_SECRET): secret 1 of 1 is neither"},
		"secret and file":  {environ: []string{"SMSD_ADMIN_TOKEN=hunter2", "SMSD_ADMIN_TOKEN_FILE=/x"}, want: "admin.token (SMSD_ADMIN_TOKEN_FILE): is given twice: here as a file, and by SMSD_ADMIN_TOKEN"},
		"file not there":   {environ: []string{"SMSD_REDIS_URL_FILE=/nowhere/url"}, want: "redis.url (SMSD_REDIS_URL_FILE): open /nowhere/url: no such file"},
		"file is a folder": {environ: []string{"SMSD_ADMIN_TOKEN_FILE=testdata"}, want: "admin.token (SMSD_ADMIN_TOKEN_FILE): read testdata: is a directory"},
		"flag value":       {flags: map[string]string{"log-level": "loud"}, want: `log.level (--log-level): "loud": must be`},
		"flag unknown":     {flags: map[string]string{"redis-url": "redis://:hunter2@h"}, want: "--redis-url: unknown; did you mean --redis-url-file?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneFault(t, Options{Environ: c.environ, Flags: c.flags}, c.want)
		})
	}
}

func TestEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	file := write(t, "profile: prod\nhttp: {listen: nowhere}\nnonsense: 1\nsecret: hunter2\n")
	_, err := Load(Options{
		File:    file,
		Environ: []string{"SMSD_NONSENSE=1", "SMSD_LOCAL_RATE=-1", "SMSD_ADMIN_LISTEN=:1"},
		Flags:   map[string]string{"log-format": "xml"},
	})
	var faults Faults
	if !errors.As(err, &faults) || len(faults) != 8 {
		t.Errorf("want 8 faults, got:\n%v", err)
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	t.Parallel()
	oneFault(t, Options{File: "/nowhere/smsd.yaml"}, "/nowhere/smsd.yaml: no such file or directory")
}

func TestALargeFileIsNotRead(t *testing.T) {
	t.Parallel()
	large := write(t, strings.Repeat("# hunter2\n", maxFile/10+1))
	oneFault(t, Options{File: large}, large+": has more than 1048576 bytes")
	oneFault(t, Options{Environ: []string{"SMSD_SECRET_FILE=" + large}}, "secret (SMSD_SECRET_FILE): read "+large+": has more than 65536 bytes")
}

// write makes a file in a folder of its own.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "smsd.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
