//go:build linux

package site

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrNoNginx is the error of Start without nginx.
var ErrNoNginx = errors.New("nginx is not installed; on Debian: apt-get install nginx-light")

// FindNginx returns the program, which Debian does not put into PATH.
func FindNginx() (string, error) {
	for _, name := range []string{"nginx", "/usr/sbin/nginx"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoNginx
}

// The files of the certificate, as the configuration of nginx names them.
const (
	certificateFile = "certificate.pem"
	keyFile         = "certificate.key"
)

// certify makes a certificate for localhost, which signs itself.
func certify(dir string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	own := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	public, err := x509.CreateCertificate(rand.Reader, own, own, &key.PublicKey, key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		writePEM(filepath.Join(dir, certificateFile), "CERTIFICATE", public),
		writePEM(filepath.Join(dir, keyFile), "PRIVATE KEY", private),
	)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

// upstream is the address of a replica; its last digit is the number of the replica.
var upstream = regexp.MustCompile(`172\.[0-9.]+([0-9]):2322`)

// serveProxy starts nginx with its configuration of .deploy but for addresses and
// paths, and returns when it listens.
func (s *Site) serveProxy(ctx context.Context, nginx, config, port string) error {
	text, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	plain, err := FreePort()
	if err != nil {
		return err
	}
	conf := string(text)
	for _, found := range upstream.FindAllStringSubmatch(conf, -1) {
		n, err := strconv.Atoi(found[1])
		if err != nil || n < 1 || n > replicas {
			return fmt.Errorf("%s: replica %s is none of %d", config, found[0], replicas)
		}
		conf = strings.ReplaceAll(conf, found[0], s.Replicas[n-1].address)
	}
	temporary := ""
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf("\n%s_temp_path %s/%s;", name, s.dir, name)
	}
	conf = strings.NewReplacer(
		"/run/secrets/", s.dir+"/", "listen 80;", "listen 127.0.0.1:"+plain+";",
		"listen 443 ssl", "listen 127.0.0.1:"+port+" ssl", "http {", "http {"+temporary,
	).Replace(conf)
	if !strings.Contains(conf, ":"+port+" ") || !strings.Contains(conf, ":"+plain+";") {
		return fmt.Errorf("%s: nginx would not listen where it is told to", config)
	}
	file := filepath.Join(s.dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		return err
	}
	global := "daemon off; pid " + filepath.Join(s.dir, "pid") + ";"
	if os.Getuid() == 0 { // else the workers are of a user who cannot write the folder
		global += " user root;"
	}
	cmd := exec.CommandContext(ctx, nginx, "-p", s.dir, "-c", file, "-e", filepath.Join(s.dir, "error.log"),
		"-g", global)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.proxy = cmd
	for {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("nginx does not listen: %w", err)
		}
	}
}

// Transport returns how a browser at a loopback address connects to the Site. nginx
// passes this address on to the replicas.
func (s *Site) Transport(from net.IP) (*http.Transport, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, certificateFile))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: 2,
	}, nil
}
