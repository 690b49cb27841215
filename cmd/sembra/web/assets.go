package web

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// The names of the assets.
const (
	styleAsset  = "style.css"
	scriptAsset = "script.js"
	themeAsset  = "theme.js" // sets the theme before the page is drawn
)

// assetsHead is what a served page has in its head.
const assetsHead = `<link rel="stylesheet" href="/assets/style.css"><script src="/assets/theme.js"></script>` +
	`<script src="/assets/script.js" defer></script>`

// readAssets returns the style sheet and the scripts of pages by name. The patterns choose the files of the script.
func readAssets(script ...string) (map[string][]byte, error) {
	assets := make(map[string][]byte)
	for name, patterns := range map[string][]string{
		styleAsset: {"assets/[0-9]*.css"}, themeAsset: {"assets/theme.js"}, scriptAsset: script,
	} {
		for _, pattern := range patterns {
			names, err := fs.Glob(assetFiles, pattern) // in their order
			if err != nil {
				return nil, err
			}
			for _, file := range names {
				text, err := assetFiles.ReadFile(file)
				if err != nil {
					return nil, err
				}
				assets[name] = append(append(assets[name], text...), '\n')
			}
		}
	}
	return assets, nil
}

// asset answers with an asset.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, ok := s.assets[name]
	if !ok {
		check(noPage(r))
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(name, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	deliver(w, r, kind, text)
}
