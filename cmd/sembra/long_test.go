//go:build long

package main

// long tells that the tests take the time to try everything.
const long = true
