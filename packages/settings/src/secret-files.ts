import { readFileSync, statSync } from 'node:fs';

/** Large enough for PEM keys and long URLs, but not for a log file that was named by mistake. */
const atMostBytes = 64 * 1024;

export interface SecretsRead {
  /** The environment. Secrets from files are under their own names. */
  values: Record<string, string | undefined>;
  problems: string[];
  /** Secrets whose `<NAME>_FILE` has a problem. Their own checks are skipped. */
  unread: ReadonlySet<string>;
}

/**
 * Reads each secret from the file that `<NAME>_FILE` names, as Docker and Kubernetes provide them. A newline at the end
 * is removed. Problems contain neither the file's content nor its name: the name may be the secret itself, set by
 * mistake.
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
    // Reading a pipe could block forever.
    if (!file.isFile()) return { problem: 'names something that is not a file' };
    if (file.size > atMostBytes) return { problem: `names a file of more than ${atMostBytes / 1024} KiB` };
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/, '');
    return secret === '' ? { problem: 'names an empty file' } : { secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      ? { problem: 'names a file that is not UTF-8 text' }
      : { problem: `names a file that cannot be read (${code ?? 'invalid path'})` };
  }
}
