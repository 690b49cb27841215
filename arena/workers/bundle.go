package workers

import (
	"archive/tar"
	"cmp"
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
	"time"

	"sembra/arena"
)

// The bounds of what a worker unpacks for one bot.
const (
	mostBundle  = 320 << 20 // bytes, with the headers of the archive
	mostEntries = 400_000   // names in all paths, so that there are no more files and folders
	mostPath    = 1 << 10   // bytes
)

// pack writes a bundle and returns its name and size in bytes. The same files always give the same bytes.
func pack(to io.Writer, files []arena.BotFile) (name string, size int64, err error) {
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

func packFile(w *tar.Writer, f arena.BotFile) (err error) {
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

// cache is a folder with unpacked bundles, by name. Several workers may share it.
type cache struct{ folder string }

// folderOf returns where a bundle is. Bots without one have an empty folder.
func (c cache) folderOf(bundle string) string {
	return filepath.Join(c.folder, cmp.Or(bundle, "empty"))
}

// prepare makes the cache, which other users may not read, and the empty folder in it.
func (c cache) prepare() error {
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return err
	}
	return os.MkdirAll(c.folderOf(""), 0o755)
}

// has reports whether a bundle is there.
func (c cache) has(bundle string) bool {
	stat, err := os.Stat(c.folderOf(bundle))
	return err == nil && stat.IsDir()
}

// A bundle that no worker has used for longestAge is removed. A worker tells every hour that it uses its bundles.
const (
	longestAge = 7 * 24 * time.Hour
	safeAge    = 24 * time.Hour // of what a worker that was killed has left
)

// touch notes that bundles are used now.
func (c cache) touch(bundles []string) {
	for _, bundle := range bundles {
		_ = os.Chtimes(c.folderOf(bundle), time.Now(), time.Now()) // then it is removed early, and comes again
	}
}

// tidy removes bundles that no worker has used for long, and what workers that were killed have left.
func (c cache) tidy(now time.Time) error {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue // another worker has removed it
		}
		path, age := filepath.Join(c.folder, entry.Name()), now.Sub(info.ModTime())
		left := strings.HasPrefix(entry.Name(), "new-") || strings.HasPrefix(entry.Name(), "old-")
		switch {
		case left && age > safeAge:
			_ = removeAll(path) // it is tried again
		case validHash(entry.Name()) && age > longestAge:
			old := filepath.Join(c.folder, "old-"+entry.Name()) // at once, so that no worker finds a part of it
			if os.Rename(path, old) == nil {
				_ = removeAll(old)
			}
		}
	}
	return nil
}

// add unpacks a bundle of that name and size in bytes. A bundle that is not what its name says is refused, and leaves
// nothing.
func (c cache) add(bundle string, size int64, from io.Reader) (err error) {
	if !validHash(bundle) {
		return fmt.Errorf("the bundle %.80q has no valid name", bundle)
	}
	temp, err := os.MkdirTemp(c.folder, "new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(temp)) }()
	hash := sha256.New()
	limited := io.TeeReader(io.LimitReader(from, min(size, mostBundle)), hash)
	if err := unpack(limited, temp, min(size, mostBundle)); err != nil {
		return fmt.Errorf("the bundle %.12s: %w", bundle, err)
	}
	rest, err := io.Copy(io.Discard, limited)
	if err != nil {
		return err
	}
	if rest > mostPadding {
		return fmt.Errorf("the bundle %.12s has %d bytes after its end", bundle, rest)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != bundle {
		return fmt.Errorf("the bundle %.12s is damaged: its content has the hash %.12s", bundle, got)
	}
	// A folder that is read-only can be renamed, but not moved into another one.
	if err := os.Rename(temp, c.folderOf(bundle)); err != nil && !c.has(bundle) { // another worker may have been faster
		return err
	}
	return nil
}

// removeAll removes a folder with read-only folders in it.
func removeAll(folder string) error {
	_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			_ = os.Chmod(name, 0o755) // RemoveAll says what is left
		}
		return nil
	})
	return os.RemoveAll(folder)
}
