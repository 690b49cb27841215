package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// known is what a sandbox finds out once about a command.
type known struct {
	programs []string // that the kernel executes for it
	named    []string // the files that its arguments name
	mapped   []string // what it sees as if it were the owner, because only the owner may use it
	owner    *owner   // nil: nothing is mapped
	view
}

// look finds out what all processes of a bot need.
func (p *Prepared) look(ctx context.Context) error {
	command := &p.command
	command.Dir = filepath.Clean(command.Dir)
	if stat, err := os.Stat(command.Dir); err != nil || !stat.IsDir() {
		return fmt.Errorf("there is no folder %s", command.Dir)
	}
	here, err := filepath.EvalSymlinks(command.Dir) // where the bot runs
	if err == nil {
		err = p.follow(ctx)
	}
	if err != nil {
		return notThere(err)
	}
	for _, path := range command.Args[min(1, len(command.Args)):] {
		if !filepath.IsAbs(path) {
			path = filepath.Join(here, path)
		}
		hidden := slices.ContainsFunc(command.Hidden, func(h string) bool { return inside(path, filepath.Clean(h)) })
		if stat, err := os.Stat(path); !hidden && err == nil && stat.Mode().IsRegular() {
			p.named = append(p.named, path)
		}
	}
	if p.sandbox.ownID {
		if p.mapped, err = p.admit(here); err != nil {
			return err
		}
	}
	p.view, err = p.see()
	return notThere(err)
}

// Conceals reports whether a file or a folder exists that the bot does not see, and
// that would be shown to it if it were in Limits.Read. Hidden files never are.
func (p *Prepared) Conceals(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if !p.sandbox.Isolates() || err != nil {
		return false
	}
	for _, name := range []string{path, real} {
		here := func(folder string) bool { return inside(name, folder) || inside(folder, name) }
		system := []string{"/dev", "/proc", "/sys"}
		if slices.ContainsFunc(slices.Concat(p.hidden, p.userHidden(), system), here) {
			return false
		}
		shows := func(at place) bool { return at.whole() && inside(name, at.Path) || at.Path == name }
		if slices.ContainsFunc(p.places, shows) {
			return false
		}
	}
	return true
}

// notThere returns a plainer error for a missing file; other errors stay as they are.
func notThere(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", pathErr.Path)
	}
	return err
}

// place is one path that a bot sees. A folder comes before the places in it.
type place struct {
	Path   string
	Link   string // the target, if it is a symbolic link
	Dir    bool   // it is a folder that holds only other places
	Mapped bool   // the bot sees the owner's files as its own
}

// whole reports whether the bot sees everything at and below the path.
func (p place) whole() bool { return p.Link == "" && !p.Dir }

// view says what a bot sees of the file system.
type view struct {
	places []place
	hidden []string // files and folders that the bot may not see, resolved
}

// eyes collects what a bot sees of the file system.
type eyes struct {
	view
	at    map[string]place // by path
	whole bool             // hidden files can be covered, so folders are shown as a whole
}

// resolved returns the paths, and the same paths without symbolic links.
func resolved(paths []string) (all []string) {
	for _, path := range paths {
		path = filepath.Clean(path)
		all = append(all, path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			all = append(all, real)
		}
		if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			all = append(all, filepath.Join(folder, filepath.Base(path)))
		}
	}
	return all
}

// inside reports whether a path is a folder or lies below it.
func inside(path, folder string) bool {
	return path == folder || folder == "/" || strings.HasPrefix(path, folder+"/")
}

func (v *eyes) put(p place) {
	if _, ok := v.at[p.Path]; ok && !p.whole() {
		return
	}
	v.at[p.Path] = p
	v.places = append(v.places, p)
}

// covered reports whether the bot sees a path already, because of itself or of a
// folder above it.
func (v *eyes) covered(path string) bool {
	for {
		if p, ok := v.at[path]; ok && p.whole() {
			return true
		}
		if path == "/" {
			return false
		}
		path = filepath.Dir(path)
	}
}

// show shows the bot a path, with the symbolic links on the way to it. It returns
// the path without links, and the links.
func (v *eyes) show(path string) (real string, links []string, err error) {
	const tooMany = 40 // as in the kernel
	at, left := "/", strings.Split(path, "/")
	for len(left) > 0 {
		name := left[0]
		left = left[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		stat, err := os.Lstat(next)
		if err != nil {
			return "", links, err
		}
		switch {
		case stat.Mode()&fs.ModeSymlink != 0:
			if links = append(links, next); len(links) > tooMany {
				return "", links, fmt.Errorf("%s: %w", path, unix.ELOOP)
			}
			target, err := os.Readlink(next)
			if err != nil {
				return "", links, err
			}
			if !v.covered(next) {
				v.put(place{Path: next, Link: target})
			}
			if filepath.IsAbs(target) {
				at = "/"
			}
			left = append(strings.Split(target, "/"), left...)
			continue
		case stat.IsDir() && len(left) > 0 && !v.covered(next):
			v.put(place{Path: next, Dir: true})
		}
		at = next
	}
	if v.covered(at) {
		return at, links, nil
	}
	return at, links, v.showReal(at)
}

// showReal shows the bot a path without symbolic links. If hidden files cannot be
// covered, it shows a folder with a hidden file entry by entry, without that file.
func (v *eyes) showReal(path string) error {
	if slices.Contains(v.hidden, path) {
		return nil
	}
	holds := func(hidden string) bool { return inside(hidden, path) }
	if v.whole || !slices.ContainsFunc(v.hidden, holds) {
		v.put(place{Path: path})
		return nil
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, unix.ENOTDIR) {
		return nil // a file, which holds no entries
	}
	if err != nil {
		return err
	}
	v.put(place{Path: path, Dir: true})
	for _, entry := range entries {
		next := filepath.Join(path, entry.Name())
		if v.covered(next) {
			continue
		}
		if entry.Type()&fs.ModeSymlink == 0 {
			if err := v.showReal(next); err != nil {
				return err
			}
		} else if target, err := os.Readlink(next); err == nil {
			v.put(place{Path: next, Link: target})
		}
	}
	return nil
}

// systemPaths returns the paths of the system, which every bot sees.
func systemPaths() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/sys", "/nix/store", "/gnu/store",
	}
}

// ofSystem reports whether every bot sees a path.
func ofSystem(path string) bool {
	return slices.ContainsFunc(systemPaths(), func(folder string) bool { return inside(path, folder) })
}

// secrets returns the files of the system that are hidden from bots that run as root.
func secrets() []string {
	return []string{
		"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
		"/etc/ssh", "/etc/ssl/private", "/etc/wireguard", "/etc/NetworkManager/system-connections",
	}
}

// deviceNodes returns the names of the devices that a bot has.
func deviceNodes() []string { return []string{"null", "zero", "full", "random", "urandom"} }

// userHidden returns the files and folders of the user that a bot may not see, resolved.
func (p *Prepared) userHidden() (all []string) {
	for _, path := range resolved(p.sandbox.limits.Hidden) {
		all = append(all, path, path+".lock")
	}
	return append(all, resolved(p.command.Hidden)...)
}

// see returns what a bot sees.
func (p *Prepared) see() (view, error) {
	v := &eyes{at: make(map[string]place), whole: p.sandbox.spaces}
	v.hidden = p.userHidden()
	if !p.sandbox.ownID && os.Geteuid() == 0 {
		v.hidden = append(v.hidden, resolved(secrets())...)
	}
	slices.Sort(v.hidden)
	v.hidden = slices.Compact(v.hidden)
	paths := systemPaths()
	if p.sandbox.limits.Network {
		paths = append(paths, "/etc/resolv.conf") // often a link to a file elsewhere
	}
	for _, path := range paths {
		_, _, err := v.show(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
			return view{}, fmt.Errorf("cannot look at %s: %w", path, err)
		}
	}
	here := ""
	for _, path := range append(slices.Clone(p.sandbox.limits.Read), p.command.Dir) {
		real, _, err := v.show(path)
		if err = cmp.Or(possible(path), err, possible(real)); err != nil {
			return view{}, err
		}
		here = real
	}
	for _, path := range p.programs {
		real, links, err := v.show(path)
		if err != nil {
			return view{}, err
		}
		for _, path := range append(links, real) {
			v.showPrefix(path, p.command.Env)
		}
	}
	for _, path := range p.named {
		if inside(path, p.command.Dir) || inside(path, here) {
			continue // perhaps a link that leads elsewhere
		}
		if _, _, err := v.show(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return view{}, err
		}
	}
	for _, path := range p.mapped { // over what is shown there already
		v.places = append(v.places, place{Path: path, Mapped: true})
	}
	return v.view, nil
}

// possible returns an error for a path that cannot be opened as a whole.
func possible(path string) error {
	switch path = filepath.Clean(path); path {
	case "/", "/tmp", "/dev", "/proc":
		return fmt.Errorf("a bot cannot see the whole folder %s: give it a folder of its own", path)
	}
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%s is not an absolute path", path)
	}
	return nil
}

// showPrefix shows the bot the files that belong to a program outside of the
// system. For PREFIX/bin/python3 these are PREFIX/lib and others.
func (v *eyes) showPrefix(program string, env []string) {
	bin := filepath.Dir(program)
	prefix := filepath.Dir(bin)
	if filepath.Base(bin) != "bin" || ofSystem(program) || prefix == "/" {
		return
	}
	user, _ := os.UserHomeDir() // "" is inside of no folder
	of, _ := valueOf(env, "HOME")
	if inside(filepath.Clean(user), prefix) || inside(filepath.Clean(of), prefix) {
		return
	}
	for _, name := range []string{"lib", "lib64", "libexec", "conf", "jmods", "include", "release", "pyvenv.cfg"} {
		_, _, _ = v.show(filepath.Join(prefix, name)) // most are not there
	}
}
