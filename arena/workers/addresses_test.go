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
	"strings"
	"testing"
	"time"
)

// TestCertificate: the runner reaches its own server, whatever names the server's certificate has. Workers are told
// these names.
func TestCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
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
	for name, text := range map[string][]byte{
		"server.crt":  pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}),
		"server.key":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
		"runner.toml": []byte("token = \"secret\"\nca = \"server.crt\"\ncertificate = \"server.crt\"\nkey = \"server.key\"\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := ReadCredentials(filepath.Join(dir, "runner.toml"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Listen("0.0.0.0:0", t.TempDir(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	address, inside := s.client(c)
	l, err := connect(t.Context(), address, "runner", inside, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	l.conn.Close()
	if _, err := connect(t.Context(), s.URL(), "worker", c, func(string) {}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("as another host: %v", err)
	}
	if all := s.Addresses(c); len(all) != 1 || !strings.HasPrefix(all[0], "tls://runner.example.org:") {
		t.Errorf("workers are told %v", all)
	}
	if all := s.Addresses(Credentials{}); all[0] == "" || strings.HasPrefix(all[0], "tls://") {
		t.Errorf("without a certificate workers are told %v", all)
	}
}
