package web

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
)

// ReportMark is near the beginning of each file of a report.
const ReportMark = `<meta name="generator" content="Sembra report">`

// markComment is the mark at the beginning of a file that is a script or a style sheet.
const markComment = "/* " + ReportMark + " */\n"

// What a page says that shows parts. The element tells the script that it does.
const (
	inFileNote = `<noscript data-report="file"><p>Without scripts, all pages of this file stand here one below the other. ` +
		"Single matches and some lists of matches are missing: your browser has to allow scripts to show them.</p></noscript>\n"
	packedNote = `<noscript data-report="folder"><p>Your browser has to allow scripts to show this page.</p></noscript>`
)

// headInFile returns the head of a report in one file, with these assets. A browser may use the style sheet and the two
// scripts of the file, and load nothing.
func headInFile(assets map[string][]byte) string {
	style, theme, script := assets[styleAsset], assets[themeAsset], assets[scriptAsset]
	return reportPolicy(source(style), source(theme)+" "+source(script)) +
		"\n<style>" + string(style) + "</style>\n<script>" + string(theme) + "</script>"
}

// headInFolder returns the head of the pages of a folder. A browser may load the files beside them, and nothing else;
// some browsers need "file:" for that on a disk.
func headInFolder() string {
	const beside = "'self' file:"
	return reportPolicy(beside, beside) + fmt.Sprintf("\n<link rel=\"stylesheet\" href=%q><script src=%q></script><script src=%q defer></script>",
		styleAsset, themeAsset, scriptAsset)
}

// reportPolicy returns the mark of a report, and what a browser may use.
func reportPolicy(styles, scripts string) string {
	return fmt.Sprintf("%s\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; script-src %s; "+
		"img-src data:; base-uri 'none'; form-action 'none'\">", ReportMark, styles, scripts)
}

// source returns the expression for a text of the file in a policy.
func source(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// packer returns texts compressed by zlib, in base64. Its writer needs 800 KB, so it serves for all of them.
type packer struct{ writer *zlib.Writer }

func newPacker() packer {
	const level = 5                              // faster than the usual level, for a few percent more bytes
	writer, _ := zlib.NewWriterLevel(nil, level) // there is this level
	return packer{writer}
}

func (p packer) pack(text []byte) (string, error) {
	var zipped bytes.Buffer
	p.writer.Reset(&zipped)
	_, err := p.writer.Write(text)
	err = errors.Join(err, p.writer.Close())
	return base64.StdEncoding.EncodeToString(zipped.Bytes()), err
}
