package web

import (
	"bytes"
	"embed"
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

// assetsHead is what a served page has in its head.
const assetsHead = `<link rel="stylesheet" href="/assets/style.css"><script src="/assets/theme.js"></script>` +
	`<script src="/assets/script.js" defer></script>`

// readAssets returns the assets of a server by name.
func readAssets() (map[string]answer, error) {
	assets := make(map[string]answer)
	for name, pattern := range map[string]string{
		styleAsset: "assets/[0-9]*.css", scriptAsset: "assets/[0-9]*.js", themeAsset: "assets/theme.js",
	} {
		text, err := joined(pattern)
		if err != nil {
			return nil, err
		}
		assets[name] = newAnswer(text)
	}
	return assets, nil
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

// asset answers with an asset.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, ok := s.assets[name]
	if !ok {
		s.page(s.noPage).ServeHTTP(w, r)
		return
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(name, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	deliver(w, r, kind, text)
}
