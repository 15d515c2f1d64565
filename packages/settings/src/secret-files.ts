import { readFileSync, statSync } from 'node:fs';

/** Keys in PEM and long URLs fit; a log that was named by mistake does not. */
const atMostBytes = 64 * 1024;

export interface SecretsRead {
  /** The environment, with each secret that a file holds under its own name. */
  values: Record<string, string | undefined>;
  problems: string[];
  /** Secrets of which nothing more is to be said: their file is the problem. */
  unread: ReadonlySet<string>;
}

/**
 * Takes each secret from the file that `<NAME>_FILE` names, as Docker and Kubernetes hand secrets over, without the newline at its end.
 * Problems never hold what is in a file, nor its name: somebody may have put the secret itself there.
 */
export function readSecretFiles(secrets: readonly string[], env: Record<string, string | undefined>): SecretsRead {
  const values = { ...env };
  const problems: string[] = [];
  const unread = new Set<string>();
  for (const name of secrets) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    const read = env[name] === undefined ? readSecret(path) : { problem: `and ${name} are both set: keep one of them` };
    if ('secret' in read) values[name] = read.secret;
    else {
      problems.push(`${name}_FILE ${read.problem}`);
      unread.add(name);
    }
  }
  return { values, problems, unread };
}

function readSecret(path: string): { secret: string } | { problem: string } {
  try {
    const file = statSync(path);
    // A pipe would be waited for without end.
    if (!file.isFile()) return { problem: 'names something that is not a file' };
    if (file.size > atMostBytes) return { problem: `names a file of more than ${atMostBytes / 1024} KiB` };
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/, '');
    return secret === '' ? { problem: 'names an empty file' } : { secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? { problem: 'names a file that is not UTF-8 text' }
      : { problem: `names a file that cannot be read (${code ?? 'the path is not one'})` };
  }
}
