import { hkdfSync, randomBytes } from 'node:crypto';
import { isPurpose, mayUse, type ProcessKind, type Purpose, purposes } from './purposes.ts';
import { publicHalfOf } from './sealed-box.ts';

/**
 * One key as text, a line of a key file: `purpose state use id material`.
 *
 * `open`: 32 secret bytes, which open, seal or hash. `seal`: the public half, and a secret that proves to the opener
 * that a holder of keys has sealed it.
 */
export interface Key {
  purpose: Purpose;
  /** `current` seals. `next` and `old` only open; a `retired` key is in the key ring alone, and opens what was left. */
  state: 'current' | 'next' | 'old' | 'retired';
  use: 'open' | 'seal';
  /** 8 hexadecimal digits. */
  id: string;
  material: Buffer;
}

/** The keys of one process, or all of them: the key ring of the command line. */
export type KeyRing = readonly Key[];

/** The length of the material is checked by the use of the key. */
const line = /^([a-z]{1,20}) (current|next|old|retired) (open|seal) ([0-9a-f]{8}) ([A-Za-z0-9_-]{43,86})$/;

/** A text that is not a key file. The message names the line and contains nothing of it. */
export class UnreadableKeys extends Error {
  override readonly name = 'UnreadableKeys';
}

/** Reads a key file. Lines that begin with # are comments. Throws `UnreadableKeys`. */
export function readKeys(text: string): KeyRing {
  const keys = text.split('\n').flatMap((raw, at): Key[] => {
    const one = raw.trim();
    if (one === '' || one.startsWith('#')) return [];
    const [, purpose = '', state, use, id = '', material = ''] = line.exec(one) ?? [];
    const isRight = isPurpose(purpose) && material.length === (use === 'seal' ? 86 : 43);
    if (!isRight) throw new UnreadableKeys(`line ${at + 1} is not a key`);
    return [{ purpose, state, use, id, material: Buffer.from(material, 'base64url') } as Key];
  });
  for (const purpose of purposes) {
    const current = keys.filter((key) => key.purpose === purpose && key.state === 'current');
    if (current.length > 1) throw new UnreadableKeys(`it has ${current.length} current keys for ${purpose}`);
  }
  return keys;
}

export function writeKeys(keys: KeyRing, title: string): string {
  const lines = keys.map(({ purpose, state, use, id, material }) =>
    [purpose, state, use, id, material.toString('base64url')].join(' '),
  );
  return `# ${title}\n${lines.join('\n')}\n`;
}

/** A new key. */
export function makeKey(purpose: Purpose, state: Key['state'], material: Buffer = randomBytes(32)): Key {
  return { purpose, state, use: 'open', id: idOf(material), material };
}

/** The keys of a new installation. */
export function makeKeyRing(): KeyRing {
  return purposes.map((purpose) => makeKey(purpose, 'current'));
}

/** The part of the key ring that a process of this kind needs. */
export function keysOf(process: ProcessKind, ring: KeyRing): KeyRing {
  if (process === 'admin') return ring;
  return ring.flatMap((key): Key[] => {
    const use = mayUse(process, key.purpose);
    if (use === null || key.state === 'retired') return [];
    if (use === 'open') return [key];
    return key.state === 'old' ? [] : [{ ...key, use: 'seal', material: publicHalfOf(key.material) }];
  });
}

/** The same key is recognised by its id, which says nothing about it. */
function idOf(material: Buffer): string {
  return Buffer.from(hkdfSync('sha256', material, '', 'tidegate key id', 4)).toString('hex');
}
