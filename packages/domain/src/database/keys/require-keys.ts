import { type KeyRing, readKeys, UnreadableKeys } from './key-ring.ts';
import { aboutPurpose, mayUse, type ProcessKind, type Purpose, purposes } from './purposes.ts';

/** What a process is, and what it needs keys for; default: everything that the process may do. */
export interface KeyNeeds {
  process: ProcessKind;
  needs?: readonly Purpose[];
}

const howTo = 'npm run admin -- make-keys writes a file for each kind of process';

/**
 * Why a process cannot start with this key file, one line each; empty: it can. Each line names the setting and the
 * purpose, and contains nothing of the file. Keys of another process are refused, too: who takes over this process would
 * have them.
 */
export function problemsOfKeys(text: string, { process, needs }: KeyNeeds): string[] {
  let ring: KeyRing;
  try {
    ring = readKeys(text);
  } catch (error) {
    if (!(error instanceof UnreadableKeys)) throw error;
    return [`TIDEGATE_KEYS is not a key file: ${error.message} (${howTo})`];
  }
  return purposes.flatMap((purpose): string[] => {
    const may = mayUse(process, purpose);
    const keys = ring.filter((key) => key.purpose === purpose);
    const what = `${purpose} (${aboutPurpose(purpose)})`;
    const mayMore = keys.length > 0 && (may === null || (may === 'seal' && keys.some(({ use }) => use === 'open')));
    if (mayMore)
      return [`TIDEGATE_KEYS has a key that ${process} must not have: ${what}. Mount its own key file (${howTo})`];
    if (may === null || !(needs?.includes(purpose) ?? true)) return [];
    const isUsable = keys.some(({ state, use }) => state === 'current' && (may === 'seal' || use !== 'seal'));
    return isUsable ? [] : [`TIDEGATE_KEYS has no current key to ${may} ${what}: ${process} needs it (${howTo})`];
  });
}
