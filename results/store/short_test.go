//go:build !long

package store

const long = false
