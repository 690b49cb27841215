//go:build !long

package main

// long tells that the tests take the time to try everything. Without the build tag long they try a part.
const long = false
