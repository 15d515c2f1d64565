import { type Key, type KeyRing, makeKey } from './key-ring.ts';
import { type Purpose, purposes } from './purposes.ts';

/**
 * How the key of a purpose is exchanged while the service runs. Between two steps every process starts again with its
 * new key file, so that no process seals what another cannot open:
 *
 * 1. `add`: a new key, which only opens.
 * 2. `use`: the new key seals, the old one only opens.
 * 3. `drop`: everything in the database is sealed again; the old key is taken away from the processes.
 */
export const keySteps = ['add', 'use', 'drop'] as const;
export type KeyStep = (typeof keySteps)[number];

/** The step that comes next for a purpose. */
export function nextStep(ring: KeyRing, purpose: Purpose): KeyStep {
  const states = ring.filter((key) => key.purpose === purpose).map(({ state }) => state);
  if (states.includes('next')) return 'use';
  return states.includes('old') ? 'drop' : 'add';
}

/** The key ring after the step, for these purposes. */
export function changeKeys(ring: KeyRing, step: KeyStep, changed: readonly Purpose[]): KeyRing {
  return purposes.flatMap((purpose): Key[] => {
    const keys = ring.filter((key) => key.purpose === purpose);
    if (!changed.includes(purpose)) return keys;
    if (step === 'add') return [...keys.filter(({ state }) => state !== 'retired'), makeKey(purpose, 'next')];
    return keys.map((key): Key => ({ ...key, state: stateAfter(step, key.state) }));
  });
}

function stateAfter(step: 'use' | 'drop', state: Key['state']): Key['state'] {
  if (step === 'drop') return state === 'old' ? 'retired' : state;
  if (state === 'next') return 'current';
  return state === 'current' ? 'old' : state;
}
