package workers

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// writeCertificate writes server.crt and server.key for runner.example.org into a folder.
func writeCertificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"runner.example.org"},
	}
	signed, err := x509.CreateCertificate(rand.Reader, certificate, certificate, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"server.crt": {Type: "CERTIFICATE", Bytes: signed}, "server.key": {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGuide: the files of arena/WORKERS.md are valid. They are the credentials of a runner and of a worker with
// encryption, and the configuration of a cluster.
func TestGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "WORKERS.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeCertificate(t, dir)
	files := make(map[string][]string) // by language
	for _, block := range regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(string(guide), -1) {
		files[block[1]] = append(files[block[1]], block[2])
	}
	if len(files["toml"]) != 2 || len(files["conf"]) != 1 {
		t.Fatalf("the guide has %d credentials and %d configurations", len(files["toml"]), len(files["conf"]))
	}
	for i, lines := range files["toml"] {
		name := filepath.Join(dir, "workers.toml")
		if err := os.WriteFile(name, []byte("token = \"secret\"\n"+lines), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadCredentials(name)
		if err != nil || c.Encrypted() != (i == 0) || c.CA != filepath.Join(dir, "server.crt") {
			t.Errorf("%s%+v, %v", lines, c, err)
		}
	}
	conf := filepath.Join(dir, "sembra.conf")
	text := strings.ReplaceAll(files["conf"][0], "/etc/nats", filepath.ToSlash(dir))
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(conf)
	switch {
	case err != nil:
		t.Error(err)
	case !o.JetStream || o.MaxPayload != mostPayload || o.Authorization != "TOKEN" || len(o.Routes) != 3 || o.Cluster.Name != "sembra",
		o.TLSConfig == nil, o.Cluster.TLSConfig == nil:
		t.Errorf("%+v", o)
	}
}

// TestCertificate: the runner reaches its own server, whatever names the server's certificate has. Workers are told
// these names.
func TestCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeCertificate(t, dir)
	file := filepath.Join(dir, "runner.toml")
	text := "token = \"secret\"\nca = \"server.crt\"\ncertificate = \"server.crt\"\nkey = \"server.key\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := ReadCredentials(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Listen("0.0.0.0:0", t.TempDir(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l, err := RunnerOptions{Server: s, Credentials: c}.connect(t.Context(), "runner", func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	l.conn.Close()
	if _, err := connect(t.Context(), s.URL(), "worker", c, func(string) {}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("as another host: %v", err)
	}
	other := c
	other.CA = ""
	if _, err := List(t.Context(), s.URL(), other); err == nil || !strings.Contains(err.Error(), "(hint: ca in the file of --credentials") {
		t.Errorf("with a certificate that nobody has signed: %v", err)
	}
	if all := s.Addresses(c); len(all) != 1 || !strings.HasPrefix(all[0], "tls://runner.example.org:") {
		t.Errorf("workers are told %v", all)
	}
	if all := s.Addresses(Credentials{}); all[0] == "" || strings.HasPrefix(all[0], "tls://") {
		t.Errorf("without a certificate workers are told %v", all)
	}
}
