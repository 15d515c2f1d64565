#!/usr/bin/env node
import { readBounded } from '../read-bounded.ts';
import { runCommandLine } from './run-command-line.ts';

// npx @tidegate/client <command>

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  readStdin: (limit) => readBounded(process.stdin, limit),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  signal: stop.signal,
});
