import { makeLog } from '../src/log.ts';

// Writes log lines, and ends in the way that its arguments name.

const log = makeLog('ending', 'info');
const ends: Record<string, () => void> = {
  exit: () => process.exit(3),
  throw: () => {
    throw new Error('a bug');
  },
  rejection: () => void Promise.reject(new Error('a bug')),
  nothing: () => undefined,
};
for (let line = 1; line <= 3; line += 1) log.info({ line }, 'logged');
ends[process.argv[2] ?? '']?.();
