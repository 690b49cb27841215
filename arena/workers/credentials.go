package workers

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/pelletier/go-toml/v2"
)

// Credentials say who may use a NATS server, and how the connections to it are encrypted. The zero value has none.
type Credentials struct {
	file string
	user bool // the file is one of NATS itself: a user's JWT with an nkey

	Token       string `toml:"token"`
	Nkey        string `toml:"nkey"`        // the seed of a user's nkey
	CA          string `toml:"ca"`          // file with the certificates that the other side is trusted by
	Certificate string `toml:"certificate"` // file with our own certificate
	Key         string `toml:"key"`         // file with its key
}

// ReadCredentials reads a file with credentials. It is either a .creds file of NATS or TOML with the keys token or nkey,
// ca, certificate and key. Relative paths in it begin at its folder. Only its owner may have access to the file. With
// an empty name there are no credentials.
func ReadCredentials(file string) (c Credentials, err error) {
	if file == "" {
		return c, nil
	}
	defer func() {
		if wrong := new(fs.PathError); errors.As(err, &wrong) && wrong.Path == file {
			err = wrong.Err // the message names the file already
		}
		if err != nil {
			err = fmt.Errorf("the credentials in %s: %w", file, err)
		}
	}()
	stat, err := os.Stat(file)
	if err != nil {
		return c, err
	}
	if runtime.GOOS != "windows" && stat.Mode().Perm()&0o077 != 0 {
		return c, fmt.Errorf("other users may read or change the file (hint: chmod 600 %s)", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	if bytes.Contains(text, []byte("-----BEGIN NATS USER JWT-----")) {
		if _, err := nkeys.ParseDecoratedNKey(text); err != nil {
			return c, errors.New("it is a .creds file of NATS without a valid seed (hint: make it again)")
		}
		return Credentials{file: file, user: true}, nil
	}
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		if unknown := new(toml.StrictMissingError); errors.As(err, &unknown) {
			return c, fmt.Errorf("unknown key %q (known: token, nkey, ca, certificate, key)", unknown.Errors[0].Key()[0])
		}
		return c, errors.New("it is neither a .creds file of NATS nor TOML with the keys token, nkey, ca, certificate and key " +
			"(hint: one line is enough: token = \"a long random text\")")
	}
	c.file = file
	for _, path := range []*string{&c.CA, &c.Certificate, &c.Key} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(filepath.Dir(file), *path)
		}
	}
	switch {
	case c.Token == "" && c.Nkey == "":
		return c, errors.New("there is neither token nor nkey")
	case c.Token != "" && c.Nkey != "":
		return c, errors.New("there are token and nkey (only one of them is allowed)")
	case (c.Certificate == "") != (c.Key == ""):
		return c, errors.New("certificate and key belong together, and only one of them is there")
	}
	if c.Nkey != "" {
		if _, err := nkeys.FromSeed([]byte(c.Nkey)); err != nil || !strings.HasPrefix(c.Nkey, "SU") {
			return c, errors.New("nkey is not the seed of a user's nkey, which begins with SU")
		}
	}
	return c, c.checkFiles()
}

// checkFiles checks the files that the credentials name.
func (c Credentials) checkFiles() error {
	if c.CA != "" {
		if _, err := c.trusted(); err != nil {
			return fmt.Errorf("ca: %w", err)
		}
	}
	if c.Certificate == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.Certificate, c.Key)
	if err != nil {
		return fmt.Errorf("certificate and key: %w", err)
	}
	if now := time.Now(); pair.Leaf != nil && (now.Before(pair.Leaf.NotBefore) || now.After(pair.Leaf.NotAfter)) {
		return fmt.Errorf("the certificate %s is valid from %s to %s only", c.Certificate,
			pair.Leaf.NotBefore.Format(time.DateOnly), pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	return nil
}

// trusted returns the certificates of ca.
func (c Credentials) trusted() (*x509.CertPool, error) {
	text, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate", c.CA)
	}
	return pool, nil
}

// given reports whether there are credentials.
func (c Credentials) given() bool { return c.file != "" }

// Encrypted reports whether a server with these credentials encrypts its connections.
func (c Credentials) Encrypted() bool { return c.Certificate != "" }

// Files returns the files that no bot may read.
func (c Credentials) Files() (files []string) {
	for _, file := range []string{c.file, c.Key} {
		if path, err := filepath.Abs(file); file != "" && err == nil {
			files = append(files, path)
		}
	}
	return files
}

// client returns what a client needs of the credentials.
func (c Credentials) client() (options []nats.Option, err error) {
	if c.user {
		return []nats.Option{nats.UserCredentials(c.file)}, nil
	}
	if c.Token != "" {
		options = append(options, nats.Token(c.Token))
	}
	if c.Nkey != "" {
		pair, err := nkeys.FromSeed([]byte(c.Nkey))
		if err != nil {
			return nil, err
		}
		public, err := pair.PublicKey()
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Nkey(public, pair.Sign))
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	if c.Certificate != "" && c.CA != "" {
		options = append(options, nats.ClientCert(c.Certificate, c.Key))
	}
	return options, nil
}

// server gives an embedded server what it needs of the credentials.
func (c Credentials) server(o *server.Options) error {
	o.Authorization = c.Token
	if c.Nkey != "" {
		pair, err := nkeys.FromSeed([]byte(c.Nkey))
		if err != nil {
			return err
		}
		public, err := pair.PublicKey()
		if err != nil {
			return err
		}
		o.Nkeys = []*server.NkeyUser{{Nkey: public}}
	}
	if c.Certificate == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.Certificate, c.Key)
	if err != nil {
		return err
	}
	o.TLS, o.TLSTimeout = true, 10
	o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if c.CA != "" {
		pool, err := c.trusted()
		if err != nil {
			return err
		}
		o.TLSConfig.ClientCAs, o.TLSConfig.ClientAuth = pool, tls.VerifyClientCertIfGiven
	}
	return nil
}
