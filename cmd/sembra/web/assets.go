package web

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// The names of the assets.
const (
	styleAsset  = "style.css" // all style sheets in the order of their names
	scriptAsset = "script.js" // all scripts in the order of their names
	themeAsset  = "theme.js"  // sets the theme before the page is drawn
)

// asset is a file that pages load.
type asset struct {
	version       string // changes with the text
	plain, packed answer
}

// readAssets returns the assets of a server by name, and what a served page has in its head.
func readAssets() (assets map[string]asset, head string, err error) {
	assets = make(map[string]asset)
	for name, pattern := range map[string]string{
		styleAsset: "assets/[0-9]*.css", scriptAsset: "assets/[0-9]*.js", themeAsset: "assets/theme.js",
	} {
		text, err := joined(pattern)
		if err != nil {
			return nil, "", err
		}
		plain := newAnswer(text)
		assets[name] = asset{plain.tag[1:17], plain, newAnswer(compressed(text))}
	}
	at := func(name string) string { return "/assets/" + name + "?v=" + assets[name].version }
	head = fmt.Sprintf(`<link rel="stylesheet" href="%s"><script src="%s"></script><script src="%s" defer></script>`,
		at(styleAsset), at(themeAsset), at(scriptAsset))
	return assets, head, nil
}

// joined returns the content of all embedded files that match some patterns, those of a pattern in the order of their
// names.
func joined(patterns ...string) ([]byte, error) {
	var all [][]byte
	for _, pattern := range patterns {
		names, err := fs.Glob(assetFiles, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			content, err := assetFiles.ReadFile(name)
			if err != nil {
				return nil, err
			}
			all = append(all, content)
		}
	}
	return bytes.Join(all, []byte("\n")), nil
}

// asset answers with an asset. A browser keeps it for a year if its address has the
// right version.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	file, ok := s.assets[name]
	if !ok {
		s.page(s.noPage).ServeHTTP(w, r)
		return
	}
	cache := "no-cache"
	if r.URL.Query().Get("v") == file.version {
		cache = "public, max-age=31536000, immutable"
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(name, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	text := file.plain
	if compresses(r) {
		text = file.packed
	}
	deliver(w, r, kind, cache, text)
}
