package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync"

	"github.com/urfave/cli/v2"

	"sembra/arena"
	"sembra/cmd/sembra/web"
	"sembra/results/store"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name: "serve", ArgsUsage: "[FILE]",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "db", Usage: "show the results in `FILE`", Value: "sembra.db"},
			addressFlag(),
		}, playFlags()...),
		Action: serve,
	}
}

// addressFlag returns the flag of the commands that show pages in a browser.
func addressFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "addr", Usage: "show the pages at `ADDRESS`; port 0 chooses a free port", Value: "127.0.0.1:7333",
	}
}

// serve shows a database in a browser until a signal comes.
func serve(c *cli.Context) error {
	path, err := servedFile(c)
	if err != nil {
		return err
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
	return errInterrupted
}

// serveRun shows a run in a browser until end is called, which does not wait for slow readers for long. Nobody can play
// on these pages, because that would take processors from the run. Without a listener it does nothing.
func serveRun(c *cli.Context, listener net.Listener, db *store.Store, feed *arena.Feed) (end func(), err error) {
	if listener == nil {
		return func() {}, nil
	}
	library := web.RunLibrary(db.Path(), feed)
	server, err := web.NewServer(library, hostsOf(c)...)
	if err != nil {
		return nil, err
	}
	say(c.App.ErrWriter, "open %s in a browser to see the tournament while it is played", pagesAddress(listener))
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(ctx, listener) }) // a failure of the pages must not end the run
	return func() {
		stop()
		serving.Wait()
		library.Close()
		say(c.App.ErrWriter, "the pages have ended with the run; to see them again: sembra serve %s", db.Path())
	}, nil
}

// servedFile returns the path of the database that the arguments or --db name. The
// database of a tournament file need not be there yet.
func servedFile(c *cli.Context) (path string, err error) {
	args, err := arguments(c, 0, 1)
	path, family := c.String("db"), ""
	switch {
	case err != nil:
		return "", err
	case len(args) > 0 && c.IsSet("db"):
		return "", usage("%q is a file, and --db %q names one too: give only one of them", args[0], path)
	case len(args) > 0:
		if path, family, err = databaseOf(c, args[0]); err != nil {
			return "", err
		}
	case path == "":
		return "", usage("--db is empty: give the name of a file")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && family == "" {
		return "", fmt.Errorf("database %s: %w (hint: run a tournament first, or name its file)", path, fs.ErrNotExist)
	}
	return path, nil
}

// listen opens the port that the flag --addr names. It warns if other machines can
// reach the port.
func listen(c *cli.Context) (net.Listener, error) {
	address := c.String("addr")
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, usage("--addr is %q, which is not a host and a port (example: 127.0.0.1:7333)", address)
	}
	if number, err := strconv.Atoi(port); err != nil || number < 0 || number > 65535 {
		return nil, usage("--addr is %q, but its port is not a number from 0 to 65535", address)
	}
	listener, err := new(net.ListenConfig).Listen(c.Context, "tcp", address)
	var unknown *net.DNSError
	switch {
	case errors.As(err, &unknown):
		return nil, usage("--addr is %q, but no machine has the name %q", address, host)
	case errors.Is(err, context.Canceled):
		return nil, errInterrupted
	case err != nil:
		var failed *net.OpError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, fmt.Errorf("--addr is %q: %w (hint: --addr 127.0.0.1:0 takes a free port of this machine)", address, err)
	}
	if !isLoopback(listener) {
		say(c.App.ErrWriter, "warning: every machine that can reach %s can see the pages", listener.Addr())
	}
	return listener, nil
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
