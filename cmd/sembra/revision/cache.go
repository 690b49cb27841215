package revision

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Cache keeps copies of revisions in a folder. Each has a folder there, named by the hash of its content and of its
// build command, and beside it a file that is locked while somebody uses the copy.
type Cache struct {
	dir  string
	lock *os.File // only one process at a time makes copies or removes them
}

// OpenCache waits until no other process makes copies. Close lets the next one do so.
func OpenCache(ctx context.Context, dir string, waiting func()) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	for !tryLock(lock, false) {
		waiting()
		waiting = func() {}
		select {
		case <-ctx.Done():
			lock.Close()
			return nil, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
	c := &Cache{dir, lock}
	return c, os.RemoveAll(c.staging()) // of a process that was killed
}

// Close ends the making of copies. Those that are built stay locked.
func (c *Cache) Close() {
	_ = os.RemoveAll(c.staging()) // the next one tries again
	c.lock.Close()
}

// staging is where new copies stand until their hash is known.
func (c *Cache) staging() string { return filepath.Join(c.dir, "new") }

// Clean removes all copies that nobody uses, and returns how many there were and how many are left.
func (c *Cache) Clean() (removed, used int, err error) {
	locks, err := filepath.Glob(filepath.Join(c.dir, "*.lock"))
	if err != nil {
		return 0, 0, err
	}
	for _, path := range locks {
		lock, err := os.Open(path)
		if err != nil {
			return removed, used, err
		}
		if tryLock(lock, false) {
			removed++
			err = errors.Join(os.RemoveAll(strings.TrimSuffix(path, ".lock")), os.Remove(path))
		} else {
			used++
		}
		lock.Close()
		if err != nil {
			return removed, used, err
		}
	}
	return removed, used, nil
}

// Copy is the content of a revision in a folder of its own.
type Copy struct {
	Name   string   // for people
	Hash   string   // of the content alone
	Folder string   // where the content is
	Notes  []string // what is not in it

	cache *Cache
	lock  *os.File // held while the copy is used
}

// Copy copies a revision; "" is the working tree. A commit has the files that git checks out, the working tree those
// that git does not ignore. Without a build, nothing else is there.
func (c *Cache) Copy(ctx context.Context, r Repository, name string) (*Copy, error) {
	if err := os.MkdirAll(c.staging(), 0o755); err != nil {
		return nil, err
	}
	place, err := os.MkdirTemp(c.staging(), "")
	if err != nil {
		return nil, err
	}
	made := &Copy{Name: "the working tree", Folder: filepath.Join(place, "tree"), cache: c}
	if err := os.Mkdir(made.Folder, 0o755); err != nil {
		return nil, err
	}
	if name == "" {
		made.Notes, err = r.copyTree(ctx, made.Folder)
	} else {
		var commit string
		if commit, err = r.resolve(ctx, name); err != nil {
			return nil, err
		}
		const digits = 10
		made.Name = fmt.Sprintf("%s (%s)", name, commit[:digits])
		made.Notes, err = r.checkOut(ctx, commit, made.Folder)
	}
	if err != nil {
		return nil, err
	}
	return made, made.look()
}

// look computes the hash of the content, and notes files that stand for others.
func (c *Copy) look() error {
	hash, pointers := sha256.New(), 0
	err := filepath.WalkDir(c.Folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(c.Folder, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(hash, "%q %v %d\n", filepath.ToSlash(name), info.Mode()&(fs.ModeSymlink|0o100), info.Size())
		if info.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			_, _ = io.WriteString(hash, target)
			return err
		}
		content, err := os.ReadFile(path)
		_, _ = hash.Write(content)
		if strings.HasPrefix(string(content[:min(len(content), 100)]), "version https://git-lfs.github.com/spec/") {
			pointers++
		}
		return err
	})
	if pointers > 0 {
		c.Notes = append(c.Notes,
			fmt.Sprintf("files that are only pointers of Git LFS: %d (hint: --build can fetch them)", pointers))
	}
	c.Hash = hex.EncodeToString(hash.Sum(nil))
	return err
}

// Build runs a command in the copy, unless the cache has a copy of this content that the same command has built.
// Before that it calls prepare with the folder. A build that fails is an [*Error], and leaves nothing in the cache. The
// copy is locked until Close.
func (c *Copy) Build(ctx context.Context, command string, prepare func(folder string) error) error {
	home := filepath.Join(c.cache.dir, hashed(c.Hash+" "+command))
	staged, done := c.Folder, filepath.Join(home, "built")
	c.Folder = filepath.Join(home, "tree")
	var err error
	if c.lock, err = os.OpenFile(home+".lock", os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	tryLock(c.lock, true) // it succeeds, because Clean has the lock of the cache
	if _, err := os.Stat(done); err == nil {
		return os.RemoveAll(staged)
	}
	err = os.RemoveAll(home) // a build that was killed
	if err == nil {
		err = os.MkdirAll(home, 0o755)
	}
	if err == nil {
		err = os.Rename(staged, c.Folder)
	}
	if err == nil && command != "" {
		if err = prepare(c.Folder); err == nil {
			err = run(ctx, command, c.Folder, filepath.Join(home, "log"))
		}
	}
	if err == nil {
		err = os.WriteFile(done, nil, 0o644)
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(home), os.Remove(home+".lock"))
	}
	return err
}

// Close lets others remove the copy.
func (c *Copy) Close() {
	if c.lock != nil {
		c.lock.Close()
	}
}

func hashed(text string) string {
	const bytes = 8
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}
