// A lock among the commands of one clone. Plain JavaScript: an older Node reads it too.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** A holder writes its process number at once. A folder without one for longer is left over. */
const WRITTEN_WITHIN_MS = 5_000;

/**
 * Takes the lock of this name for this clone, and returns the function that gives it back. While another process has it,
 * `waiting` is printed once. The lock of a process that has ended is taken over. Throws after `waitMs`.
 */
export async function takeLock(name, { waiting, waitMs = 15 * 60_000, pollMs = 500, folder = tmpdir() }) {
  const clone = createHash('sha256').update(ROOT).digest('hex').slice(0, 16);
  const lock = join(folder, `tidegate-${name}-${process.getuid()}-${clone}`);
  const end = Date.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      mkdirSync(lock);
      writeFileSync(join(lock, 'pid'), String(process.pid));
      const unlock = () => {
        process.off('exit', unlock);
        rmSync(lock, { recursive: true, force: true });
      };
      process.on('exit', unlock);
      return unlock;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isHeld(lock)) rmSync(lock, { recursive: true, force: true });
    else if (Date.now() >= end)
      throw new Error(`Another command has held ${lock} for too long: end it, or remove that folder.`);
    else {
      if (isFirst) console.log(waiting);
      await delay(pollMs);
    }
  }
}

function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8') || 'none'), 0);
    return true;
  } catch (error) {
    if (error.code === 'EPERM') return true;
    if (error.code === 'ESRCH') return false;
  }
  // Without a number: it was just made, or its holder ended in between.
  const made = statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs < WRITTEN_WITHIN_MS;
}
