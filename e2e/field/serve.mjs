// Starts one of the servers that are measured, prints "listening on URL", and ends it when its
// standard input ends.
//
//   node serve.mjs NAME FOLDER    builds what it needs in FOLDER
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, started, tidy } from '../program.mjs';
import { goSDK, serverEverything, typescriptV1 } from '../servers/programs.mjs';
import { asks } from '../servers/asks.mjs';
import { typescript } from '../servers/typescript.mjs';

const [name, folder] = process.argv.slice(2);
const servers = { 'go-sdk': goSDK, 'mcp-go-example': mcpGoExample, everything: serverEverything, typescript,
  'typescript-asks': asks, 'typescript-v1': typescriptV1 };
const server = await servers[name]();
console.log(`listening on ${server.url}`);
process.stdin.resume().on('end', async () => {
  await server.stop();
  await tidy();
  process.exit();
});

// mcpGoExample is the example multi_round_trip of mcp-go. Its main function calls its server in
// the same process; here another one serves it over HTTP.
async function mcpGoExample() {
  const module = join(import.meta.dirname, '../servers/mcp-go');
  const { stdout } = await promisify(execFile)('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/mark3labs/mcp-go'],
    { cwd: module });
  const text = await readFile(join(stdout.trim(), 'examples/multi_round_trip/main.go'), 'utf8');
  const main = 'func main() {';
  if (!text.includes(main)) throw new Error('the example has no main function');
  const at = join(folder, 'mcp-go-example');
  await mkdir(at);
  await Promise.all(['go.mod', 'go.sum'].map((file) => cp(join(module, file), join(at, file))));
  await writeFile(join(at, 'main.go'), text.replace(main, 'func demonstrate() {'));
  await writeFile(join(at, 'serve.go'), `package main

import (
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/mark3labs/mcp-go/server"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s/mcp\\n", listener.Addr())
	log.Fatal(http.Serve(listener, server.NewStreamableHTTPServer(newServer())))
}

var _ = demonstrate
`);
  return started(spawn(await build('github.com/mrtr-playground/mrtr-playground/e2e/servers/mcp-go', at)));
}
