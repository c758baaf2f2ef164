package app

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/requestid"
)

func TestLogLinesCarryTheRequestsID(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"text": "request_id=abc", "json": `"request_id":"abc"`} {
		var b strings.Builder
		logger := NewLogger(config.Log{Level: "info", Format: format}, &b).With("part", "test")
		ctx := requestid.With(context.Background(), "abc")
		logger.DebugContext(ctx, "too fine")
		logger.InfoContext(ctx, "seen")
		logger.Info("without a request")
		logger.InfoContext(ctx, "named already", "request_id", "abc")
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if len(lines) != 3 || !strings.Contains(lines[0], want) || !strings.Contains(lines[0], "part") || strings.Contains(lines[1], "request_id") || strings.Count(lines[2], "request_id") != 1 {
			t.Errorf("%s:\n%s", format, b.String())
		}
	}
}

func TestDurationsOfJSONAreSeconds(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	NewLogger(config.Log{Level: "info", Format: "json"}, &b).Info("refused", "retry_after", 37835*time.Millisecond)
	if !strings.Contains(b.String(), `"retry_after_s":37.835`) {
		t.Error(b.String())
	}
}

func TestLogLevels(t *testing.T) {
	t.Parallel()
	for text, level := range map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError} {
		logger := NewLogger(config.Log{Level: text, Format: "text"}, &strings.Builder{})
		if !logger.Enabled(context.Background(), level) || logger.Enabled(context.Background(), level-1) {
			t.Errorf("%s does not begin at %s", text, level)
		}
	}
}
