package workers

import (
	"cmp"
	"context"
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
)

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

// The bounds of a cache. A bundle that a worker plays is younger than a day: see use.
const (
	mostCached = 32 << 30 // bytes
	longestAge = 30 * 24 * time.Hour
	safeAge    = 24 * time.Hour
)

// use keeps bundles from being removed, until the context is done.
func (c cache) use(ctx context.Context, bundles []string) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		c.touch(bundles, time.Now())
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// touch notes that bundles are used now.
func (c cache) touch(bundles []string, now time.Time) {
	for _, bundle := range bundles {
		_ = os.Chtimes(c.folderOf(bundle), now, now) // then it is removed early, and comes again
	}
}

// tidy removes bundles that no worker has used for long, and the oldest ones if there are too many bytes.
func (c cache) tidy(now time.Time, most int64) error {
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return err
	}
	type bundle struct {
		name string
		age  time.Duration
		size int64
	}
	var all []bundle
	var total int64
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue // another worker has removed it
		}
		path, age := filepath.Join(c.folder, entry.Name()), now.Sub(info.ModTime())
		left := strings.HasPrefix(entry.Name(), "new-") || strings.HasPrefix(entry.Name(), "old-") // by a worker that was killed
		switch {
		case left && age > safeAge:
			_ = removeAll(path)
		case validHash(entry.Name()) && info.IsDir():
			size := sizeOf(path)
			all, total = append(all, bundle{entry.Name(), age, size}), total+size
		}
	}
	slices.SortFunc(all, func(a, b bundle) int { return cmp.Compare(b.age, a.age) })
	for _, b := range all {
		if b.age > longestAge || b.age > safeAge && total > most {
			total -= b.size
			old := filepath.Join(c.folder, "old-"+b.name) // at once, so that no worker finds a part of it
			if os.Rename(c.folderOf(b.name), old) == nil {
				err = errors.Join(err, removeAll(old))
			}
		}
	}
	return err
}

// sizeOf returns the bytes of all files in a folder.
func sizeOf(folder string) (size int64) {
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
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
