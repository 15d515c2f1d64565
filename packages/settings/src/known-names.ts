import { processes } from './every-process.ts';
import { otherNames } from './other-names.ts';
import { secretsOf } from './variable.ts';

/**
 * The variables of all processes, with the `_FILE` variants of secrets. All of them, because processes often share one
 * environment.
 */
export function knownNames(): Set<string> {
  const names = processes.flatMap(({ schema }) => [
    ...Object.keys(schema.shape),
    ...secretsOf(schema).map((name) => `${name}_FILE`),
  ]);
  return new Set([...names, ...otherNames]);
}
