//go:build long

package schedule

const long = true
