package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"sync"
)

//go:embed assets
var assetFiles embed.FS

// The names of the assets.
const (
	styleAsset  = "style.css" // all style sheets in the order of their names
	scriptAsset = "script.js" // all scripts in the order of their names
	themeAsset  = "theme.js"  // sets the theme before the page is drawn
)

// assets are the files that pages load, by name.
type assets map[string]assetFile

type assetFile struct {
	text   []byte
	packed func() []byte // compressed
}

func newAssetFile(text []byte) assetFile {
	return assetFile{text, sync.OnceValue(func() []byte { return compressed(text) })}
}

// readAssets joins the embedded files.
func readAssets() (assets, error) {
	style, err := joined("assets/[0-9]*.css")
	if err != nil {
		return nil, err
	}
	script, err := joined("assets/[0-9]*.js")
	if err != nil {
		return nil, err
	}
	theme, err := assetFiles.ReadFile("assets/theme.js")
	if err != nil {
		return nil, err
	}
	return assets{
		styleAsset: newAssetFile(style), scriptAsset: newAssetFile(script), themeAsset: newAssetFile(theme),
	}, nil
}

// joined returns the content of all embedded files that match a pattern, in the
// order of their names.
func joined(pattern string) ([]byte, error) {
	names, err := fs.Glob(assetFiles, pattern)
	if err != nil {
		return nil, err
	}
	var all [][]byte
	for _, name := range names {
		content, err := assetFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, content)
	}
	return bytes.Join(all, []byte("\n")), nil
}

// version returns a text that changes with the content of an asset.
func (a assets) version(name string) string {
	sum := sha256.Sum256(a[name].text)
	return hex.EncodeToString(sum[:8])
}

// address returns the address of an asset, with its version.
func (a assets) address(name string) string { return "/assets/" + name + "?v=" + a.version(name) }

// head returns what a served page has in its head.
func (a assets) head() template.HTML {
	text := fmt.Sprintf(`<link rel="stylesheet" href="%s"><script src="%s"></script><script src="%s" defer></script>`,
		a.address(styleAsset), a.address(themeAsset), a.address(scriptAsset))
	return template.HTML(text) //nolint:gosec // all parts are ours
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
	version := s.assets.version(name)
	w.Header().Set("ETag", `"`+version+`"`)
	w.Header().Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if r.Header.Get("If-None-Match") == `"`+version+`"` {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	kind := "text/css; charset=utf-8"
	if strings.HasSuffix(name, ".js") {
		kind = "text/javascript; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	write(w, r, file.text, file.packed)
}
