package page

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"html/template"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// write writes a file with parts. It renders some parts at the same time, but the file has them in their order.
func (r *Report) write(ctx context.Context, w io.Writer, l links, parts []part) error {
	before, after, err := r.frame.render(r.templates, l, r.book.Tournament.Name)
	if err != nil {
		return err
	}
	if _, err := w.Write(before); err != nil {
		return err
	}
	const most = 64 // parts in memory
	for some := range slices.Chunk(parts, most) {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		texts, err := r.render(some)
		if err != nil {
			return err
		}
		if _, err := w.Write(bytes.Join(texts, nil)); err != nil {
			return err
		}
	}
	_, err = w.Write(after)
	return err
}

// render returns the texts of some parts.
func (r *Report) render(parts []part) ([][]byte, error) {
	texts, errs := make([][]byte, len(parts)), make([]error, len(parts))
	var next atomic.Int64
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			var z packer
			for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
				texts[i], errs[i] = r.renderPart(parts[i], &z)
			}
		})
	}
	running.Wait()
	for i, part := range parts {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if part.slot > 0 {
			r.done++
		}
	}
	if r.Progress != nil {
		r.Progress(r.done, len(r.matches))
	}
	return texts, nil
}

// renderPart returns the element of a part.
func (r *Report) renderPart(p part, z *packer) ([]byte, error) {
	c, err := p.content()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if len(c.Trail) > 0 {
		if err := r.templates.ExecuteTemplate(&text, "trail", c); err != nil {
			return nil, err
		}
	}
	main, err := renderMain(r.templates, c)
	if err != nil {
		return nil, err
	}
	text.WriteString(string(main))
	element := partElement{Name: p.name, Title: c.Title}
	if p.packing == packed {
		element.Packed, err = z.pack(text.Bytes())
	} else {
		element.Main = template.HTML(text.String()) //nolint:gosec // a template wrote it
	}
	if err != nil {
		return nil, err
	}
	text.Reset()
	err = r.templates.ExecuteTemplate(&text, "part", element)
	return text.Bytes(), err
}

// partElement is the element of a part.
type partElement struct {
	Name, Title string
	Packed      template.HTML // "": it is written
	Main        template.HTML // if it is written
}

// packer compresses texts by zlib, and writes that in base64.
type packer struct {
	packed bytes.Buffer
	zlib   *zlib.Writer // nil: there was no text yet
}

func (p *packer) pack(text []byte) (template.HTML, error) {
	p.packed.Reset()
	if p.zlib == nil {
		const level = 5 // faster than the usual level, for a few percent more bytes
		var err error
		if p.zlib, err = zlib.NewWriterLevel(&p.packed, level); err != nil {
			return "", err
		}
	} else {
		p.zlib.Reset(&p.packed)
	}
	if _, err := p.zlib.Write(text); err != nil {
		return "", err
	}
	if err := p.zlib.Close(); err != nil {
		return "", err
	}
	return template.HTML(base64.StdEncoding.EncodeToString(p.packed.Bytes())), nil //nolint:gosec // it has no sign of HTML
}
