#!/usr/bin/env node
// Starts the program, which is in a package for this platform. Nothing is installed or
// downloaded here: npm has chosen that package among the optional dependencies of this one.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
const windows = process.platform === 'win32';

function programPath() {
  try {
    return require.resolve(`@mrtr-playground/${platform}/mrtr-playground${windows ? '.exe' : ''}`);
  } catch {
    const known = Object.keys(require('./package.json').optionalDependencies);
    const name = `@mrtr-playground/${platform}`;
    console.error(known.includes(name)
      ? `mrtr-playground: the package ${name} is missing. Install again without --omit=optional.`
      : `mrtr-playground: there is no program for ${platform}, only for ` +
        `${known.map((one) => one.slice(one.indexOf('/') + 1)).join(', ')}. With Go, build one: ` +
        'go install github.com/mrtr-playground/mrtr-playground/cmd/mrtr-playground@latest');
    process.exit(1);
  }
}

const program = spawn(programPath(), process.argv.slice(2), { stdio: 'inherit' });

// The program ends by itself, so a signal is passed on and this process waits. Windows
// tells every process of a console by itself, and a signal that is passed on would kill.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(windows ? ['SIGBREAK'] : ['SIGQUIT'])];
for (const signal of signals) {
  process.on(signal, () => {
    if (!windows) program.kill(signal);
  });
}

program.on('error', (error) => {
  console.error(`mrtr-playground: ${error.message}`);
  process.exit(1);
});
program.on('exit', (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : code);
});
