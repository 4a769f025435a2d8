package replicas

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mrtr-playground/mrtr-playground/db/pgtest"
)

// site is three replicas behind nginx, with the configuration of .deploy.
type site struct {
	url      string
	database string
	cluster  *pgtest.Cluster
	roots    *x509.CertPool
	replicas []*replica
}

// replica is one process of the program.
type replica struct {
	program, address string
	args             []string
	cmd              *exec.Cmd
}

func startSite(t *testing.T) *site {
	t.Helper()
	nginx := findNginx(t)
	s := &site{cluster: pgtest.Start(t)}
	s.database = s.cluster.URL("postgres")
	dir := t.TempDir()
	program := filepath.Join(dir, "mrtr-playground")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/mrtr-playground")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	port := freePort(t)
	s.url = "https://localhost:" + port
	args := []string{
		"serve", "-public", "-base-url", s.url, "-trusted-proxy", "127.0.0.1",
		"-data", filepath.Join(dir, "data"), "-db", s.database, "-replicas", "3",
		"-limit", "drain-delay=1s", "-limit", "calls=600/1m", "-limit", "pages=3000/1m",
		"-limit", "parts=3000/1m", "-limit", "checks=30", "-limit", "samples=3000/1m",
	}
	for range 3 {
		r := &replica{program: program, address: "127.0.0.1:" + freePort(t), args: args}
		r.start(t)
		t.Cleanup(func() { r.end() })
		s.replicas = append(s.replicas, r)
	}
	s.roots = certify(t, dir)
	serveProxy(t, nginx, dir, port, s.replicas)
	return s
}

// findNginx returns the program, which is not in PATH on Debian.
func findNginx(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"nginx", "/usr/sbin/nginx"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("MRTR_NEED_POSTGRES") != "" {
		t.Fatal("nginx is not installed; on Debian: apt-get install nginx")
	}
	t.Skip("nginx is not installed")
	return ""
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// start starts the process and waits until it listens.
func (r *replica) start(t *testing.T) {
	t.Helper()
	r.cmd = exec.CommandContext(t.Context(), r.program, append(r.args, "-addr", r.address)...)
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	r.cmd.Env = []string{"HOME=" + filepath.Dir(r.program)}
	r.cmd.Stderr = os.Stderr
	if os.Getenv("MRTR_REPLICAS_LOG") == "" {
		r.cmd.Stderr = nil
	}
	out, err := r.cmd.StdoutPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		t.Errorf("start a replica: %v", err)
	}
}

func (r *replica) end() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// certify makes the certificate of the proxy and returns what trusts it.
func certify(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	own := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, own, own, &key.PublicKey, key)
	check(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check(t, err)
	for name, block := range map[string]*pem.Block{
		"certificate.pem": {Type: "CERTIFICATE", Bytes: der},
		"certificate.key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		check(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	cert, err := x509.ParseCertificate(der)
	check(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return pool
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var upstream = regexp.MustCompile(`server 172\.[0-9.]+:2322`)

// serveProxy starts nginx with the configuration of .deploy but for addresses and
// paths.
func serveProxy(t *testing.T, nginx, dir, port string, replicas []*replica) {
	t.Helper()
	text, err := os.ReadFile("../../.deploy/nginx.conf")
	check(t, err)
	n := 0
	conf := upstream.ReplaceAllStringFunc(string(text), func(string) string {
		n++
		return "server " + replicas[n-1].address
	})
	temporary := ""
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temporary += fmt.Sprintf("\n%s_temp_path %s/%s;", name, dir, name)
	}
	conf = strings.NewReplacer(
		"/run/secrets/", dir+"/", "listen 80;", "listen 127.0.0.1:"+freePort(t)+";",
		"listen 443 ssl;", "listen 127.0.0.1:"+port+" ssl;", "http {", "http {"+temporary,
	).Replace(conf)
	file := filepath.Join(dir, "nginx.conf")
	check(t, os.WriteFile(file, []byte(conf), 0o600))
	cmd := exec.CommandContext(t.Context(), nginx, "-p", dir, "-c", file,
		"-e", filepath.Join(dir, "error.log"), "-g", "daemon off; pid "+filepath.Join(dir, "pid")+";")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	check(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // its workers end with it
		_ = cmd.Wait()
	})
	for {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
			return
		}
		if pause(t.Context(), 20*time.Millisecond) != nil {
			t.Fatal("nginx does not listen")
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isReady reports whether a replica would get requests.
func (r *replica) isReady() bool {
	res, err := http.Get("http://" + r.address + "/readyz")
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}
