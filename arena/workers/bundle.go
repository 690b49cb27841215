package workers

import (
	"archive/zip"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sembra/arena"
	"sembra/results"
)

// The bounds of what a worker unpacks for one bot.
const (
	mostBundle = 320 << 20 // bytes, of the archive and of the files in it
	mostPath   = 1 << 10   // bytes
)

// pack writes the bundle of some files, which are not compressed, and returns its name and size in bytes. The same
// files always give the same bytes.
func pack(to io.Writer, files []arena.BotFile) (name string, size int64, err error) {
	hash := sha256.New()
	count := new(byteCounter)
	archive := zip.NewWriter(io.MultiWriter(to, hash, count))
	for _, f := range files {
		if err := packFile(archive, f); err != nil {
			return "", 0, err
		}
	}
	err = archive.Close()
	return hex.EncodeToString(hash.Sum(nil)), int64(*count), err
}

func packFile(archive *zip.Writer, f arena.BotFile) (err error) {
	if !portable(f.Path) {
		return fmt.Errorf("%q has a name that some systems do not allow (hint: a shorter name, without : and \\)", f.From)
	}
	file, err := os.Open(f.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	header := &zip.FileHeader{Name: f.Path, Method: zip.Store}
	header.SetMode(0o444)
	if f.Executable {
		header.SetMode(0o555)
	}
	to, err := archive.CreateHeader(header)
	if err != nil {
		return fmt.Errorf("%s: %w", f.From, err)
	}
	if n, err := io.Copy(to, io.LimitReader(file, f.Size)); err != nil || n < f.Size {
		return fmt.Errorf("%s has changed while it was read: only %d of %d bytes were read", f.From, n, f.Size)
	}
	return nil
}

// byteCounter counts bytes.
type byteCounter int64

func (c *byteCounter) Write(b []byte) (int, error) {
	*c += byteCounter(len(b))
	return len(b), nil
}

// portable reports whether a path is clean and stays in its folder, on every system.
func portable(name string) bool {
	return len(name) <= mostPath && name != "." && fs.ValidPath(name) && !strings.ContainsAny(name, "\\:\x00") &&
		filepath.IsLocal(filepath.FromSlash(name))
}

// unpack unpacks an archive of that size into a folder, which is read-only then. It refuses everything but regular
// files with paths inside of the folder.
func unpack(from io.ReaderAt, size int64, folder string) error {
	archive, err := zip.NewReader(from, size)
	if err != nil {
		return fmt.Errorf("the archive is malformed: %w", err)
	}
	left := uint64(mostBundle)
	for _, f := range archive.File {
		switch {
		case !f.Mode().IsRegular():
			return fmt.Errorf("%.200q is not a regular file", f.Name)
		case !portable(f.Name):
			return fmt.Errorf("the path %.200q is not inside of the folder", f.Name)
		case f.UncompressedSize64 > left: // no file has more than it says
			return fmt.Errorf("it has more than %v", results.Size(mostBundle))
		}
		left -= f.UncompressedSize64
	}
	if err := os.CopyFS(folder, archive); err != nil {
		return err
	}
	return readOnly(folder)
}

// readOnly takes away the right to change a folder and what is in it.
func readOnly(folder string) error {
	var all []string
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		all = append(all, name)
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(all) { // a folder comes after what is in it
		stat, err := os.Stat(name)
		if err != nil {
			return err
		}
		if err := os.Chmod(name, stat.Mode()&0o555); err != nil {
			return err
		}
	}
	return nil
}

// cache is a folder with unpacked bundles, by name. Several workers may share it.
type cache struct{ folder string }

// folderOf returns where a bundle is. Bots without one have an empty folder.
func (c cache) folderOf(bundle string) string {
	return filepath.Join(c.folder, cmp.Or(bundle, "empty"))
}

// longestAge is the age at which a bundle that no worker has begun to use meanwhile is removed.
const longestAge = 7 * 24 * time.Hour

// prepare makes the cache, which other users may not read, and the empty folder in it. It removes what was not used for
// long: bundles, and what workers that were killed have left.
func (c cache) prepare() error {
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return err
	}
	if err := os.MkdirAll(c.folderOf(""), 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(c.folder)
	for _, entry := range entries {
		info, wrong := entry.Info() // an error: another worker has removed it
		ours := validHash(entry.Name()) || strings.HasPrefix(entry.Name(), "new-")
		if ours && wrong == nil && time.Since(info.ModTime()) > longestAge {
			_ = removeAll(filepath.Join(c.folder, entry.Name())) // it is tried again
		}
	}
	return err
}

// has reports whether a bundle is there, and notes that it is used now.
func (c cache) has(bundle string) bool {
	return os.Chtimes(c.folderOf(bundle), time.Now(), time.Now()) == nil
}

// add unpacks a bundle of that name, with at most so many bytes. A bundle that is not what its name says is refused,
// and leaves nothing.
func (c cache) add(bundle string, most int64, from io.Reader) (err error) {
	if !validHash(bundle) {
		return fmt.Errorf("the bundle %.80q has no valid name", bundle)
	}
	temp, err := os.MkdirTemp(c.folder, "new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeAll(temp)) }()
	file, err := os.Create(filepath.Join(temp, "archive"))
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	size, err := io.Copy(io.MultiWriter(file, hash), io.LimitReader(from, min(most, mostBundle)))
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != bundle {
		return fmt.Errorf("the bundle %.12s is damaged: its content has the hash %.12s", bundle, got)
	}
	// A folder that is read-only can be renamed, but not moved into another one.
	content := temp + "-files"
	defer func() { err = errors.Join(err, removeAll(content)) }()
	if err := unpack(file, size, content); err != nil {
		return fmt.Errorf("the bundle %.12s: %w", bundle, err)
	}
	if err := os.Rename(content, c.folderOf(bundle)); err != nil && !c.has(bundle) { // another worker may have been faster
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
