package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/bots"
	"sembra/cmd/sembra/web"
	"sembra/configs"
	"sembra/results/store"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name: "serve", ArgsUsage: "[FILE]",
		Flags: append([]cli.Flag{
			databaseFlag("show the results in `FILE`", "sembra.db"),
			addressFlag(),
		}, playFlags()...),
		Action: serve,
	}
}

func addressFlag() cli.Flag {
	const usual = "127.0.0.1:7333"
	return namingFlag("addr", "show the pages at `ADDRESS`; port 0 chooses a free port", usual, "an address, as in "+usual)
}

// serve shows a database in a browser until a signal comes.
func serve(c *cli.Context) error {
	r, err := readFile(c, 0, 0)
	if err != nil {
		return err
	}
	path := r.path
	// The database of a tournament file need not be there yet.
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && r.family == "" {
		return fmt.Errorf("database %s: %w (hint: run a tournament first, or name its file)", path, fs.ErrNotExist)
	}
	library, err := web.OpenLibrary(path)
	if err != nil {
		return err
	}
	defer library.Close()
	listener, err := listen(c)
	if err != nil {
		return err
	}
	defer listener.Close()
	server, err := web.NewServer(library, hostsOf(c)...)
	if err != nil {
		return err
	}
	endPlay, err := offerPlay(c, server, listener, c.Args().First(), path)
	if err != nil {
		return err
	}
	defer endPlay()
	printLine(c.App.Writer, pagesAddress(listener))
	say(c.App.ErrWriter, "sembra shows %s at this address; open it in a browser (Ctrl-C ends it)", path)
	if err := server.Serve(c.Context, listener); !interrupted(c.Context, err) {
		return err
	}
	return nil // a signal leaves nothing unfinished
}

// serveRun shows a run in a browser until end is called, which does not wait for slow readers for long. After a
// complete run on a terminal, it first waits for a signal, because a short run ends before anybody has looked. Nobody
// can play on these pages, because that would take processors from the run. Without a listener it does nothing.
func serveRun(c *cli.Context, at net.Listener, db *store.Store, feed *arena.Feed) (end func(complete bool), err error) {
	if at == nil {
		return func(bool) {}, nil
	}
	library := web.NewRunLibrary(db.Path(), feed)
	server, err := web.NewServer(library, hostsOf(c)...)
	if err != nil {
		return nil, err
	}
	say(c.App.ErrWriter, "open %s in a browser to see the tournament while it is played", pagesAddress(at))
	ctx, stop := context.WithCancelCause(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(ctx, at) }) // until stop; a failure of the pages must not end the run
	return func(complete bool) {
		if _, ok := terminalOf(c.App.ErrWriter); ok && complete && c.Err() == nil {
			say(c.App.ErrWriter, "the run is complete; %s stays open until Ctrl-C", pagesAddress(at))
			<-c.Done()
		}
		stop(web.ErrRunEnded)
		serving.Wait()
		say(c.App.ErrWriter, "the pages have ended with the run; to see them again: sembra serve %s", db.Path())
	}, nil
}

// listen opens the port that the flag --addr names. It warns if other machines can
// reach the port.
func listen(c *cli.Context) (net.Listener, error) {
	address := c.String("addr")
	listener, err := new(net.ListenConfig).Listen(c.Context, "tcp", address)
	if failed := new(net.OpError); errors.As(err, &failed) {
		err = failed.Err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return nil, errInterrupted
	case errors.As(err, new(*os.SyscallError)):
		return nil, fmt.Errorf("--addr is %q: %w (hint: --addr 127.0.0.1:0 takes a free port of this machine)", address, err)
	case err != nil:
		return nil, usage("--addr is %q: %w (example: 127.0.0.1:7333)", address, err)
	}
	if !isLoopback(listener) {
		say(c.App.ErrWriter, "warning: at %s other machines can see the pages", addressesForOthers(listener))
	}
	return listener, nil
}

// addressesForOthers lists the addresses of the first page for browsers on other machines.
func addressesForOthers(l net.Listener) string {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil || !at.Addr().IsUnspecified() {
		return pagesAddress(l)
	}
	own, _ := net.InterfaceAddrs() // if it fails, none is known
	var list []string
	for _, address := range own {
		if ip, ok := address.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			list = append(list, fmt.Sprintf("http://%s/", net.JoinHostPort(ip.IP.String(), strconv.Itoa(int(at.Port())))))
		}
	}
	if list == nil {
		list = append(list, "every address of this machine")
	}
	return strings.Join(list, " and ")
}

// isLoopback reports whether only this machine can reach a listener.
func isLoopback(l net.Listener) bool {
	at, err := netip.ParseAddrPort(l.Addr().String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// pagesAddress returns the address of the first page, for a browser on this machine.
func pagesAddress(l net.Listener) string {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err == nil && at.Addr().IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", at.Port())
	}
	return fmt.Sprintf("http://%s/", l.Addr())
}

// hostsOf returns the names by which a browser may call this machine: the one in the
// flag --addr and, if other machines can reach it, the machine's own name.
func hostsOf(c *cli.Context) []string {
	var hosts []string
	if host, _, err := net.SplitHostPort(c.String("addr")); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		hosts = append(hosts, name)
	}
	return hosts
}

// playFlags returns the flags that say whether and how people may play bots on the page.
func playFlags() []cli.Flag {
	return []cli.Flag{
		switchFlag("play", "let people play bots on the page, even if other machines can reach it"),
		textFlag("isolation", "`MODE`: the isolation of these bots, "+isolationModes()+
			" (default: as the tournament file says, else auto)", ""),
	}
}

// offerPlay lets people play bots on the page: the built-in ones and, if file is a tournament file, its bots. No bot may
// read the file or the database. release ends all matches.
func offerPlay(c *cli.Context, server *web.Server, at net.Listener, file, database string) (release func(), err error) {
	flag, err := readIsolation(c.String("isolation"))
	if c.IsSet("isolation") && err != nil {
		return nil, err
	}
	if !isLoopback(at) && !c.Bool("play") {
		say(c.App.ErrWriter,
			"nobody can play bots on the pages, because other machines can reach them and would start "+
				"programs here (hint: --play allows it)")
		return func() {}, nil
	}
	folder, remove, err := emptyFolder()
	if err != nil {
		return nil, err
	}
	p := web.Play{Isolation: configs.DefaultIsolation()}
	if kindOf(file) == tournamentFile {
		if config, err := loadConfig(c, file); err != nil {
			say(c.App.ErrWriter, "warning: only the built-in bots can be played on the pages: %v", err)
		} else {
			p = playOf(config)
		}
	}
	switch {
	case !c.IsSet("isolation"):
	case p.Isolation.Mode == arena.NoIsolation: // its file gives no limits
		p.Isolation = flag
	default:
		p.Isolation.Mode = flag.Mode
	}
	for _, path := range append(store.Files(database), file) {
		if hidden, err := filepath.Abs(path); path != "" && err == nil {
			p.Hidden = append(p.Hidden, hidden)
		}
	}
	p.Opponents = append(p.Opponents, builtinOpponents(folder)...)
	end := server.Play(c.Context, p)
	return func() {
		end()
		remove()
	}, nil
}

// playOf returns the bots of a tournament file, which run as in the tournament.
func playOf(config *configs.Config) web.Play {
	plan, here := config.Plan, config.Machine
	p := web.Play{Isolation: plan.Isolation, Hidden: here.Hidden}
	for _, entry := range arena.HideFromEachOther(config.Entries, plan.Isolation.Read, here.LogFolder) {
		p.Opponents = append(p.Opponents, web.Opponent{Entry: entry, Group: web.GroupOf(plan.Name)})
	}
	return p
}

// builtinOpponents returns the built-in bots, which run in a folder. The levels come first, because newcomers want them.
func builtinOpponents(folder string) []web.Opponent {
	var levels, others []web.Opponent
	for _, known := range bots.Builtins() {
		entry := configs.Bot{Name: known.Name, Builtin: known.Name, Args: builtinCommand(known.Name)}.Entry(folder)
		if strings.HasPrefix(known.Name, "level") {
			levels = append(levels, web.Opponent{Entry: entry, Group: "Levels, from the weakest to the strongest"})
		} else {
			others = append(others, web.Opponent{Entry: entry, Group: "Other built-in bots", Summary: known.Summary})
		}
	}
	return append(levels, others...)
}

func reportCommand() *cli.Command {
	return &cli.Command{
		Name: "report", ArgsUsage: "[FILE]",
		Flags:  append(databaseFlags(), textFlag("output", "write the report to `FILE|DIR/`; - is standard output", "")),
		Action: writeReport,
	}
}

// largeReport is the size of a file, in bytes, above which a folder is advised. About 1300 matches need it.
const largeReport = 10 << 20

func writeReport(c *cli.Context) error {
	path := c.String("output")
	isFolder := path != "" && os.IsPathSeparator(path[len(path)-1])
	if err := refuseTarget(path, isFolder); err != nil {
		return err
	}
	b, _, err := readTournament(c, 0, 0)
	if err != nil {
		return err
	}
	defer b.Store().Close()
	report, err := web.NewReport(b)
	if err != nil {
		return err
	}
	if err := report.CheckFile(); err != nil && !isFolder {
		return usage("%w (hint: --output DIR/ writes a folder, with a slash at the end)", err)
	}
	report.Progress = watch(c, "pages written")
	written := fmt.Sprintf("%s written to %s", plural(report.Matches(), "match", "matches"), path)
	switch {
	case path == "-":
		err = report.WriteFile(c.Context, c.App.Writer)
		written = ""
	case isFolder:
		err = writeFolder(path, func(file web.WriteReportFile) error { return report.WriteFiles(c.Context, file) })
		written += fmt.Sprintf(" (open %s in a browser)", filepath.Join(path, web.FirstReportFile))
	default:
		err = writeWholeFile(path, refuseOther, func(w io.Writer) error { return report.WriteFile(c.Context, w) })
	}
	if interrupted(c.Context, err) {
		return fmt.Errorf("%w: nothing is written", errInterrupted)
	}
	if err != nil {
		return err
	}
	if written != "" {
		say(c.App.ErrWriter, "%s", written)
	}
	if stat, err := os.Stat(path); err == nil && !isFolder && stat.Size() > largeReport {
		say(c.App.ErrWriter, "note: a browser loads the whole file, %d MB; of a folder (--output DIR/) it loads only what it shows",
			stat.Size()>>20)
	}
	if left := report.DamagedMatches(); len(left) > 0 {
		return fmt.Errorf("the report has a note in place of %s; one reason: %w (hint: sembra verify lists all damage)",
			plural(len(left), "match", "matches"), left[0])
	}
	return nil
}

// refuseTarget returns an error if a report cannot be written to a path.
func refuseTarget(path string, isFolder bool) error {
	stat, err := os.Stat(filepath.Clean(path)) // without the slash at the end
	switch {
	case path == "":
		return usage("--output is missing: it names the file, or with a slash at the end the folder, that the report is written to")
	case path == "-":
		return nil
	case isFolder && err == nil && !stat.IsDir():
		return usage("%s: it is a file, not a folder (hint: without the slash the report is one file)", path)
	case isFolder:
		return refuseOther(filepath.Join(path, web.FirstReportFile))
	case err == nil && stat.IsDir():
		return usage("%s is a folder (hint: with a slash at the end, --output %s/, the report is written into it)", path, path)
	}
	if stat, err := os.Stat(filepath.Dir(path)); err != nil || !stat.IsDir() {
		return usage("--output: there is no folder %s", filepath.Dir(path))
	}
	return refuseOther(path)
}

// refuseOther returns an error if there is a file at a path that is not a report. A report may be written over an older
// one.
func refuseOther(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || isReport(path) {
		return nil
	}
	return usage("there is a file %s already, and it is not overwritten, because it is not a report of sembra "+
		"(hint: another name, or remove it first)", path)
}

func isReport(path string) bool {
	const most = 1 << 10 // bytes at the beginning of the file
	start := beginning(path)
	return bytes.Contains(start[:min(len(start), most)], []byte(web.ReportMark))
}

// writeFolder writes files into a folder, which may be there already. They appear in it when all of them are complete:
// until then they are in another folder inside it. Files of an older report that the new one does not have are removed.
// Other files stay.
func writeFolder(path string, write func(web.WriteReportFile) error) error {
	isNew := os.Mkdir(path, 0o755) == nil
	part, err := os.MkdirTemp(path, ".part-*")
	if err != nil {
		return usage("%s: cannot write it: %w", path, withoutPath(err))
	}
	defer func() {
		_ = os.RemoveAll(part) // what is left of it
		if isNew {
			_ = os.Remove(path) // only if nothing was written
		}
	}()

	var names []string
	err = write(func(name string, text []byte) error {
		names = append(names, name)
		return writeText(filepath.Join(part, name), refuseOther, text)
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := refuseOther(filepath.Join(path, name)); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(part, name), filepath.Join(path, name)); err != nil {
			return err
		}
	}
	return removeOld(path, names)
}

// removeOld removes the files of an older report from a folder.
func removeOld(path string, names []string) error {
	files, err := os.ReadDir(path)
	for _, file := range files {
		name := file.Name()
		old := filepath.Join(path, name)
		if web.IsReportFile(name) && !slices.Contains(names, name) && isReport(old) {
			if err := os.Remove(old); err != nil {
				return err
			}
		}
	}
	return err
}
