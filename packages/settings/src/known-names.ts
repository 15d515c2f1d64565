import { processes } from './every-process.ts';
import { otherNames } from './other-names.ts';
import { secretsOf } from './variable.ts';

/** The names of every process, since one environment often serves several, and of the files that hold their secrets. */
export function knownNames(): Set<string> {
  const names = processes.flatMap(({ schema }) => [
    ...Object.keys(schema.shape),
    ...secretsOf(schema).map((name) => `${name}_FILE`),
  ]);
  return new Set([...names, ...otherNames]);
}
