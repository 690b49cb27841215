package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"sembra/cmd/sembra/web"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name: "report", ArgsUsage: "[FILE]",
		Flags:  append(databaseFlags(), textFlag("output", "write the report to `FILE|DIR/`; - is standard output", "")),
		Action: writeReport,
	}
}

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
	report, err := web.NewReport(b)
	if err != nil {
		return err
	}
	if err := report.CheckFile(); err != nil && !isFolder {
		return usage("%w (hint: --output DIR/ writes a folder, with a slash at the end)", err)
	}
	report.Progress = watch(c, "matches written")
	written := fmt.Sprintf("%s written to %s", plural(report.Matches(), "match", "matches"), path)
	switch {
	case path == "-":
		err, written = report.WriteFile(c.Context, c.App.Writer), ""
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
	if left := report.Left(); len(left) > 0 {
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

// isReport reports whether a file is a report that Sembra has written.
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
	for _, name := range names {
		err = cmp.Or(err, refuseOther(filepath.Join(path, name)))
	}
	if err != nil {
		return err
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
