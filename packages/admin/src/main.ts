import { text } from 'node:stream/consumers';
import { runAdmin } from './run-admin.ts';

// npm run admin -- <command>

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  readStdin: () => text(process.stdin),
  out: (said) => process.stdout.write(said),
  err: (said) => process.stderr.write(said),
});
