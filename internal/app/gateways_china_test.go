package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/config"
)

// The settings of the gateways to China: all their faults are told with their paths, and no value is repeated.
func TestSettingsOfGatewaysToChina(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("T0KEN\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		block string
		want  []string // none: no fault
	}{
		"aliyun":        {"{access_key_id: T0KEN, access_key_secret_file: " + key + ", sign: 示例科技, receipt_secret: T0KEN.T0KEN.T0KEN}", nil},
		"nothing":       {"{kind: aliyun}", []string{"gateways.nothing.access_key_id", "gateways.nothing.access_key_secret"}},
		"unknown":       {"{kind: aliyun, access_key_id: T0KEN, access_key_secret: T0KEN, secret_key: T0KEN}", []string{"gateways.unknown.secret_key"}},
		"tencent":       {"{secret_id: T0KEN, secret_key: T0KEN, app_id: \"1400006666\", region: ap-beijing, receipt_secret: T0KEN.T0KEN.T0KEN}", nil},
		"in-clear":      {"{kind: tencent, secret_id: T0KEN, secret_key: T0KEN, app_id: \"1\", endpoint: \"http://T0KEN.example.com\"}", []string{"gateways.in-clear.endpoint"}},
		"short-secrets": {"{kind: aliyun, access_key_id: T0KEN, access_key_secret: T0KEN, receipt_secret: T0KEN}", []string{"gateways.short-secrets.receipt_secret"}},
		"brackets":      {"{kind: aliyun, access_key_id: T0KEN, access_key_secret: T0KEN, sign: 【T0KEN】}", []string{"gateways.brackets.sign"}},
		"more-brackets": {"{kind: tencent, secret_id: T0KEN, secret_key: T0KEN, app_id: \"1\", sign: 【T0KEN】}", []string{"gateways.more-brackets.sign"}},
		"nothing-again": {"{kind: tencent}", []string{"gateways.nothing-again.app_id", "gateways.nothing-again.secret_id", "gateways.nothing-again.secret_key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := checkGateways(loadBlock(t, name, c.block))
			var paths []string
			for _, f := range faults {
				paths = append(paths, f.Path)
				if strings.Contains(f.Error(), "T0KEN") {
					t.Errorf("a fault of %s repeats the value", f.Path)
				}
			}
			if strings.Join(paths, " ") != strings.Join(c.want, " ") {
				t.Errorf("faults of %s, want %s: %v", paths, c.want, faults)
			}
		})
	}
}

func loadBlock(t *testing.T, name, block string) *config.Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "smsd.yaml")
	if err := os.WriteFile(file, []byte("gateway: "+name+"\ngateways:\n  "+name+": "+block+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(config.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}
