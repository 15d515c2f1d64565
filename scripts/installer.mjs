// Runs installers whose output only matters if they fail. Plain JavaScript: an older Node reads it too.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const SHOWN_LINES = 15;

/** Runs a program, and adds what it prints to the file `log`. Returns its exit code; 127: there is no such program. */
export function runInstaller(command, args, log) {
  const file = openSync(log, 'a');
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: dirname(log), stdio: ['ignore', file, file] });
    closeSync(file);
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Where the output of the installers is, and its last lines; empty if none ran. */
export function describeLog(log, shown = SHOWN_LINES) {
  if (!existsSync(log)) return '';
  const lines = shown === 0 ? [] : readFileSync(log, 'utf8').trimEnd().split('\n').slice(-shown);
  return [`What it printed is in ${log}.`, ...lines.map((line) => `  ${line}`)].join('\n');
}
