//go:build deps

// Package deps pins what is about to be imported. It goes before the first landing.
package deps

import (
	_ "github.com/fsnotify/fsnotify"
	_ "github.com/go-json-experiment/json"
	_ "github.com/go-playground/validator/v10"
	_ "github.com/google/renameio/v2"
	_ "github.com/google/uuid"
	_ "github.com/knadh/koanf/providers/rawbytes"
	_ "github.com/knadh/koanf/v2"
	_ "github.com/labstack/echo/v4"
	_ "github.com/labstack/echo/v4/middleware"
	_ "github.com/nyaruka/phonenumbers/v2"
	_ "github.com/pb33f/libopenapi-validator"
	_ "github.com/prometheus/client_golang/prometheus"
	_ "github.com/prometheus/client_golang/prometheus/collectors"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/prometheus/client_golang/prometheus/testutil"
	_ "github.com/redis/go-redis/v9"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "go.yaml.in/yaml/v3"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/text/language"
	_ "golang.org/x/time/rate"
	_ "pgregory.net/rapid"
)
