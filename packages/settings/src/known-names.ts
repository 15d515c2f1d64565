import { processes } from './every-process.ts';
import { otherNames } from './other-names.ts';
import { secretsOf } from './variable.ts';

/**
 * The variables of all processes, with the `_FILE` variants of secrets, and the names with our prefix that other
 * programs read. A process accepts the names of the others too, because processes often share one environment.
 */
export function knownNames(): Set<string> {
  const names = processes.flatMap(({ schema }) => [
    ...Object.keys(schema.shape),
    ...secretsOf(schema).map((name) => `${name}_FILE`),
  ]);
  return new Set([...names, ...otherNames]);
}
