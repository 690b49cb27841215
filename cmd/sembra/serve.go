package main

import (
	"fmt"
	"net"

	"github.com/urfave/cli/v2"

	"sembra/results/page"
)

func serveCommand() *cli.Command {
	return &cli.Command{
		Name: "serve", Usage: sayServe, UsageText: exampleServe, ArgsUsage: "[FILE]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "db", Usage: "show the results in `FILE`", Value: "sembra.db"},
			addressFlag(),
		},
		Action: serve,
	}
}

// addressFlag is the flag of the commands that serve pages.
func addressFlag() cli.Flag {
	return &cli.StringFlag{Name: "addr", Usage: "listen at `ADDRESS`", Value: "127.0.0.1:7333"}
}

// serve shows a database in a browser until a signal comes.
func serve(c *cli.Context) error {
	args, err := arguments(c, 0, 1)
	if err != nil {
		return err
	}
	path := c.String("db")
	if len(args) > 0 {
		if path, _, err = databaseOf(c, args[0]); err != nil {
			return err
		}
	}
	library, err := page.OpenLibrary(path)
	if err != nil {
		return err
	}
	defer library.Close()
	server, err := page.NewServer(library)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.String("addr"))
	if err != nil {
		return err
	}
	printLine(c.App.Writer, fmt.Sprintf(sayServing, listener.Addr()))
	if err := server.Serve(c.Context, listener); !interrupted(c.Context, err) {
		return err
	}
	return errInterrupted
}
