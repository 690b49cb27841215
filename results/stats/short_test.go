//go:build !long

package stats

const long = false
