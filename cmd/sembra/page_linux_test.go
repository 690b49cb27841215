//go:build !race

package main

import "testing"

func TestPage(t *testing.T) {
	t.Parallel()
	b := newBrowser(t)
	p := b.tab(t)
	p.open("data:text/html,<p>hello<script>alert(1);console.error('x')</script>")
	p.await("document.querySelector('p').textContent.startsWith('hello')")
}
