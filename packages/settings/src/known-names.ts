import { processes } from './every-process.ts';
import { otherNames } from './other-names.ts';
import { secretsOf } from './variable.ts';

/**
 * The variables of all processes, since one environment often serves several, and the names of their `_FILE` variants.
 */
export function knownNames(): Set<string> {
  const names = processes.flatMap(({ schema }) => [
    ...Object.keys(schema.shape),
    ...secretsOf(schema).map((name) => `${name}_FILE`),
  ]);
  return new Set([...names, ...otherNames]);
}
