//go:build long

package store

const long = true
