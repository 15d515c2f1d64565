import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { explainError } from './line/explain-error.ts';
import { exitCodes, type World } from './line/world.ts';
import { runAdmin } from './run-admin.ts';

// npm run admin -- <command>

const world: World = {
  env: process.env,
  readStdin: () => text(process.stdin),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  keepDetails,
};

// Whoever reads the output may stop, as `head` does.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.unavailable),
  );
process.on('uncaughtException', (error) => {
  const [code, words] = explainError(error, world);
  process.stderr.write(`${words}\n`);
  process.exit(code);
});

process.exitCode = await runAdmin(process.argv.slice(2), world);

function keepDetails(details: string): string | null {
  try {
    const file = join(mkdtempSync(join(tmpdir(), 'tidegate-admin-')), 'error.txt');
    writeFileSync(file, `${details}\n`, { mode: 0o600 });
    return file;
  } catch {
    return null;
  }
}
