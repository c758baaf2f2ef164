// Package config is every setting of smsd: its name in the file, in the environment and as a flag, its
// unit, its default and its check.
//
// A value comes from the last of these that gives one: the default, the YAML file, the environment, the
// flags. [Load] reads all four, and its error names every fault at once; a name that nobody knows is a
// fault that names the nearest known one, so that a slip of the pen is never a setting silently left at
// its default. [Config] is the manual. The table in docs/settings.md is made from the same rows.
//
// Secrets are [secret.Text] from the moment they are read. Each can be given as a file, by its name
// with _file (or _FILE) behind it.
package config
