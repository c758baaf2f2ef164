// Package lua embeds the scripts that run inside Redis. Each opens with its contract.
package lua
