// Archive packs FOLDER, under its own name, into ARCHIVE, which ends in .tar.gz or .zip, and prints the line for
// SHA256SUMS. All files get the date of SECONDS since 1970 and no owner, so the same files make the same bytes.
//
//	go run .ci/archive.go SECONDS FOLDER ARCHIVE
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"testing/fstest"
	"time"
)

func main() {
	seconds, err := strconv.ParseInt(os.Args[1], 10, 64)
	check(err)
	folder, archive := os.Args[2], os.Args[3]

	files, parent := make(fstest.MapFS), os.DirFS(filepath.Dir(folder))
	check(fs.WalkDir(parent, filepath.Base(folder), func(name string, entry fs.DirEntry, err error) error {
		check(err)
		info, err := entry.Info()
		check(err)
		file := &fstest.MapFile{Mode: 0o644, ModTime: time.Unix(seconds, 0).UTC()}
		switch {
		case entry.IsDir():
			file.Mode = fs.ModeDir | 0o755
		case info.Mode()&0o100 != 0:
			file.Mode = 0o755
		}
		if !entry.IsDir() {
			file.Data, err = fs.ReadFile(parent, name)
		}
		files[name] = file
		return err
	}))

	var packed bytes.Buffer
	if filepath.Ext(archive) == ".zip" {
		w := zip.NewWriter(&packed)
		check(w.AddFS(files))
		check(w.Close())
	} else {
		compressed := gzip.NewWriter(&packed)
		w := tar.NewWriter(compressed)
		check(w.AddFS(files))
		check(w.Close())
		check(compressed.Close())
	}
	check(os.WriteFile(archive, packed.Bytes(), 0o644))
	fmt.Printf("%x  %s\n", sha256.Sum256(packed.Bytes()), filepath.Base(archive))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
