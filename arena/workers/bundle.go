package workers

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sembra/arena"
)

// The bounds of what a worker unpacks for one bot.
const (
	mostBundle  = 320 << 20 // bytes, with the headers of the archive
	mostEntries = 400_000   // names in all paths, so that there are no more files and folders
	mostPath    = 1 << 10   // bytes
)

// pack writes a bundle and returns its name and size in bytes. The same files always give the same bytes.
func pack(to io.Writer, files []arena.Carried) (name string, size int64, err error) {
	hash := sha256.New()
	count := new(counter)
	w := tar.NewWriter(io.MultiWriter(to, hash, count))
	for _, f := range files {
		if err := packFile(w, f); err != nil {
			return "", 0, err
		}
	}
	if err := w.Close(); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(hash.Sum(nil)), count.bytes, nil
}

func packFile(w *tar.Writer, f arena.Carried) (err error) {
	if !localPath(f.Path) {
		return fmt.Errorf("%q has a name that some systems do not allow (hint: a shorter name, without : and \\)", f.From)
	}
	file, err := os.Open(f.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	header := &tar.Header{Typeflag: tar.TypeReg, Name: f.Path, Size: f.Size, Mode: 0o444, Format: tar.FormatPAX}
	if f.Executable {
		header.Mode = 0o555
	}
	if err := w.WriteHeader(header); err != nil {
		return fmt.Errorf("%s: %w", f.From, err)
	}
	if n, err := io.Copy(w, io.LimitReader(file, f.Size)); err != nil || n < f.Size {
		return fmt.Errorf("%s has changed while it was read: %d of %d bytes are there", f.From, n, f.Size)
	}
	return nil
}

// counter counts bytes.
type counter struct{ bytes int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return len(b), nil
}

// mostPadding is how many bytes may follow the last entry of an archive.
const mostPadding = 16 << 10

// unpack unpacks an archive into an empty folder, which is read-only then. It refuses everything but regular files with
// local paths, so that nothing can be written outside of the folder. The files have at most so many bytes.
func unpack(from io.Reader, folder string, most int64) (err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	archive := tar.NewReader(from)
	var size int64
	for entries := 0; ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return readOnly(root)
		}
		if err != nil {
			return fmt.Errorf("the archive is malformed: %w", err)
		}
		size += header.Size
		entries += 1 + strings.Count(header.Name, "/")
		switch {
		case header.Typeflag != tar.TypeReg:
			return fmt.Errorf("%.200q is not a regular file", header.Name)
		case !localPath(header.Name):
			return fmt.Errorf("the path %.200q is not inside of the folder", header.Name)
		case entries > mostEntries || size > most || header.Size < 0:
			return fmt.Errorf("it has more than %d files and folders or %v", mostEntries, arena.Size(most))
		}
		if err := unpackFile(root, header, archive); err != nil {
			return err
		}
	}
}

// localPath reports whether a path of an archive is clean and stays in its folder, on every system.
func localPath(name string) bool {
	return len(name) <= mostPath && path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name)) && name != "." &&
		!strings.ContainsAny(name, "\\\x00") && !strings.Contains(name, ":")
}

func unpackFile(root *os.Root, header *tar.Header, content io.Reader) (err error) {
	if err := root.MkdirAll(path.Dir(header.Name), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(header.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := io.Copy(file, io.LimitReader(content, header.Size)); err != nil {
		return err
	}
	mode := fs.FileMode(0o444)
	if header.Mode&0o111 != 0 {
		mode = 0o555
	}
	return file.Chmod(mode)
}

// readOnly takes away the right to change the folders.
func readOnly(root *os.Root) error {
	var folders []string
	err := fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			folders = append(folders, name)
		}
		return err
	})
	for _, name := range slices.Backward(folders) {
		err = errors.Join(err, root.Chmod(name, 0o555))
	}
	return err
}
