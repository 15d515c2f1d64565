import { text } from 'node:stream/consumers';
import { runAdmin } from './run-admin.ts';

// npm run admin -- <command>

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  readStdin: () => text(process.stdin),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
