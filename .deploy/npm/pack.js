// Writes the npm packages of a release: pack.js VERSION BINARIES. For each file
// mrtr-playground-SYSTEM-ARCHITECTURE of the folder BINARIES, there is a package of its platform
// in BINARIES/npm, and one with the name of the program, which depends on them.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const [version, binaries] = process.argv.slice(2);
const out = path.join(binaries, 'npm');
const root = path.join(__dirname, '../..');
const systems = { linux: 'linux', darwin: 'darwin', windows: 'win32' };
const processors = { amd64: 'x64', arm64: 'arm64' };

const read = (name) => JSON.parse(fs.readFileSync(path.join(__dirname, name), 'utf8')
  .replaceAll('VERSION', version));

// write writes a package with copies of files, by their names in it.
function write(folder, manifest, files) {
  const dir = path.join(out, folder);
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(path.join(dir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [name, from] of Object.entries(files)) fs.copyFileSync(from, path.join(dir, name));
}

fs.rmSync(out, { recursive: true, force: true });
const main = read('package.json');
for (const file of fs.readdirSync(binaries).sort()) {
  const found = /^mrtr-playground-([a-z]+)-([a-z0-9]+)(\.exe)?$/.exec(file);
  if (!found) continue;
  const [os, cpu] = [systems[found[1]], processors[found[2]]];
  if (!os || !cpu) throw new Error(`${file} is for no platform that npm knows`);
  const manifest = read('platform.json');
  for (const key of ['name', 'description']) manifest[key] = manifest[key].replace('PLATFORM', `${os}-${cpu}`);
  Object.assign(manifest, { os: [os], cpu: [cpu] });
  const program = `mrtr-playground${found[3] ?? ''}`;
  write(`${os}-${cpu}`, manifest, {
    [program]: path.join(binaries, file),
    LICENSE: path.join(root, 'LICENSE'),
    THIRD_PARTY_LICENSES: path.join(root, '.deploy/THIRD_PARTY_LICENSES'),
  });
  fs.chmodSync(path.join(out, `${os}-${cpu}`, program), 0o755);
  main.optionalDependencies[manifest.name] = version;
}
if (Object.keys(main.optionalDependencies).length === 0) throw new Error(`no binary in ${binaries}`);
write('mrtr-playground', main, {
  'mrtr-playground.js': path.join(__dirname, 'mrtr-playground.js'),
  'README.md': path.join(__dirname, 'README.md'),
  LICENSE: path.join(root, 'LICENSE'),
});
