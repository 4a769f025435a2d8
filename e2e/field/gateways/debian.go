package gateways

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// debian is a program of a Debian package.
type debian struct {
	name     string // of the program
	pkg      string // that has it
	question string // the argument that makes it print its version
}

// versionNumber finds a version in what a program prints.
var versionNumber = regexp.MustCompile(`\d+\.\d+(?:\.\d+)*`)

func (d debian) find() (string, error) {
	path, err := exec.LookPath(d.name)
	if err != nil { // Debian has most of them in the path of root only
		path = "/usr/sbin/" + d.name
		_, err = os.Stat(path)
	}
	if err != nil {
		return "", fmt.Errorf("%s is not installed: on Debian, apt-get install %s", d.name, d.pkg)
	}
	return path, nil
}

func (d debian) version(ctx context.Context, path string) (string, error) {
	out, err := exec.CommandContext(ctx, path, d.question).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	if v := versionNumber.FindString(string(out)); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("no version in %q", strings.TrimSpace(string(out)))
}

var (
	nginx    = debian{"nginx", "nginx-light", "-v"}
	haproxy  = debian{"haproxy", "haproxy", "-v"}
	caddy    = debian{"caddy", "caddy", "version"}
	apache   = debian{"apache2", "apache2", "-v"}
	lighttpd = debian{"lighttpd", "lighttpd", "-v"}
	varnish  = debian{"varnishd", "varnish", "-V"}
	squid    = debian{"squid", "squid", "-v"}
	h2o      = debian{"h2o", "h2o", "--version"}
	mitm     = debian{"mitmdump", "mitmproxy", "--version"}
)

// nginxWith returns a setup of nginx with lines beside proxy_pass.
func nginxWith(lines string) setup {
	return configured("nginx.conf", `daemon off;
pid {dir}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path {dir}/body;
  proxy_temp_path {dir}/proxy;
  fastcgi_temp_path {dir}/fastcgi;
  uwsgi_temp_path {dir}/uwsgi;
  scgi_temp_path {dir}/scgi;
  server {
    listen {address};
    location / {
      proxy_pass {origin};
`+lines+`
    }
  }
}
`, "{program}", "-e", "stderr", "-p", "{dir}", "-c", "{file}")
}

// haproxyWith returns a setup of HAProxy with lines among its defaults. It warns without
// timeouts: those of a call are longer than any of the test.
func haproxyWith(lines string) setup {
	return configured("haproxy.cfg", `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
`+lines+`
frontend front
  bind {address}
  default_backend back
backend back
  server upstream {host}
`, "{program}", "-db", "-f", "{file}")
}

// caddySetup is the setup of Caddy.
var caddySetup = configured("Caddyfile", `{
  admin off
  auto_https off
}
http://{address} {
  reverse_proxy {host}
}
`, "{program}", "run", "--adapter", "caddyfile", "--config", "{file}")

// apacheWith returns a setup of Apache with parameters of ProxyPass.
func apacheWith(parameters string) setup {
	return configured("apache2.conf", `ServerRoot {dir}
ServerName 127.0.0.1
DefaultRuntimeDir {dir}
PidFile {dir}/apache2.pid
ErrorLog /dev/stderr
Listen {address}
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
ProxyPass / {origin}/ `+parameters+`
`, "{program}", "-d", "{dir}", "-f", "{file}", "-DFOREGROUND")
}

// lighttpdWith returns a setup of lighttpd with further lines.
func lighttpdWith(lines string) setup {
	return configured("lighttpd.conf", `server.modules = ("mod_proxy")
server.document-root = "{dir}"
server.upload-dirs = ("{dir}")
server.bind = "127.0.0.1"
server.port = {port}
proxy.server = ("" => (("host" => "{upstream host}", "port" => {upstream port})))
`+lines+`
`, "{program}", "-D", "-f", "{file}")
}

// squidWith returns a setup of Squid in front of a server, with options of cache_peer.
func squidWith(options string) setup {
	return configured("squid.conf", `http_port {address} accel defaultsite={host}
cache_peer {upstream host} parent {upstream port} 0 no-query originserver name=upstream `+options+`
acl all_clients src 127.0.0.1
http_access allow all_clients
cache_peer_access upstream allow all
pid_filename {dir}/squid.pid
cache_log {dir}/cache.log
access_log none
coredump_dir {dir}
shutdown_lifetime 0 seconds
`, "{program}", "-N", "-f", "{file}")
}

// mitmWords start mitmproxy.
var mitmWords = []string{
	"{program}", "--mode", "reverse:{origin}", "--listen-host", "127.0.0.1", "--listen-port", "{port}",
	"--set", "confdir={dir}", "--quiet",
}

// debianGateways returns what Debian has.
func debianGateways() []Gateway {
	const ignored = "proxy_ignore_headers X-Accel-Buffering;"
	list := []Gateway{
		{Slug: "nginx", Name: "nginx", Condition: "proxy_pass", source: nginx, setup: nginxWith("")},
		{
			Slug: "nginx-buffered", Name: "nginx",
			Condition: ignored + " which is as for a server that does not send X-Accel-Buffering: no",
			source:    nginx, setup: nginxWith(ignored),
		},
		{
			Slug: "nginx-buffered-http-1.1", Name: "nginx",
			Condition: ignored + " proxy_http_version 1.1;",
			source:    nginx, setup: nginxWith(ignored + "\nproxy_http_version 1.1;"),
		},
		{
			Slug: "nginx-unbuffered", Name: "nginx",
			Condition: ignored + " proxy_buffering off;",
			source:    nginx, setup: nginxWith(ignored + "\nproxy_buffering off;"),
		},
		{
			Slug: "haproxy", Name: "HAProxy", Condition: "mode http",
			source: haproxy, setup: haproxyWith(""),
		},
		{
			Slug: "haproxy-abortonclose", Name: "HAProxy", Condition: "mode http, option abortonclose",
			source: haproxy, setup: haproxyWith("  option abortonclose"),
		},
		{Slug: "caddy", Name: "Caddy", Condition: "reverse_proxy", source: caddy, setup: caddySetup},
		{
			Slug: "apache", Name: "Apache HTTP Server", Condition: "ProxyPass",
			source: apache, setup: apacheWith(""),
		},
		{
			Slug: "apache-flush", Name: "Apache HTTP Server", Condition: "ProxyPass with flushpackets=on",
			source: apache, setup: apacheWith("flushpackets=on"),
		},
		{
			Slug: "lighttpd", Name: "lighttpd", Condition: "mod_proxy",
			source: lighttpd, setup: lighttpdWith(""),
		},
		{
			Slug: "lighttpd-stream", Name: "lighttpd",
			Condition: "mod_proxy, server.stream-response-body = 2",
			source:    lighttpd, setup: lighttpdWith("server.stream-response-body = 2"),
		},
		{
			Slug: "varnish", Name: "Varnish", Condition: "the VCL that it has built in",
			source: varnish,
			setup: configured("default.vcl", `vcl 4.1;
backend default {
  .host = "{upstream host}";
  .port = "{upstream port}";
}
`, "{program}", "-F", "-n", "{dir}/work", "-a", "{address}", "-f", "{file}", "-s", "malloc,64m"),
		},
		{
			Slug: "squid", Name: "Squid", Condition: "http_port accel, cache_peer originserver",
			source: squid, setup: squidWith(""),
		},
		{
			Slug: "squid-login", Name: "Squid",
			Condition: "http_port accel, cache_peer originserver login=PASSTHRU",
			source:    squid, setup: squidWith("login=PASSTHRU"),
		},
		{
			Slug: "h2o", Name: "H2O", Condition: "proxy.reverse.url",
			source: h2o,
			setup: configured("h2o.conf", `listen:
  host: 127.0.0.1
  port: {port}
num-threads: 1
hosts:
  default:
    paths:
      /:
        proxy.reverse.url: {origin}/
`, "{program}", "-m", "worker", "-c", "{file}"),
		},
		{
			Slug: "mitmproxy", Name: "mitmproxy", Condition: "mitmdump --mode reverse:URL",
			source: mitm, setup: started(mitmWords...),
		},
		{
			Slug: "mitmproxy-stream", Name: "mitmproxy",
			Condition: "mitmdump --mode reverse:URL --set stream_large_bodies=1",
			source:    mitm, setup: started(append(mitmWords, "--set", "stream_large_bodies=1")...),
		},
	}
	for i := range list {
		list[i].Path = "/mcp"
	}
	return list
}
