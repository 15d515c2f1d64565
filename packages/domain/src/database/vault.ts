import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Key, type KeyRing, readKeys } from './keys/key-ring.ts';
import { type Place, placeRows } from './keys/places.ts';
import { aboutPurpose, type HashPurpose, kindOfPurpose, type Purpose, type SealPurpose } from './keys/purposes.ts';
import { boxOpener, decrypt, encrypt, publicHalfOf, sealBox } from './keys/sealed-box.ts';

/**
 * The keys of this process in use: to seal secrets in the database, to hash what is searched there, and to make tokens
 * that cannot be forged. It can do only what its keys allow. Everything else throws `KeyMissing`.
 */
export interface Vault {
  /** Authenticated encryption with the current key. The text opens only at this place with this id. */
  seal(place: Place, id: string, text: string): Buffer;
  /** Opens with any key of the place's purpose. Throws if the text was changed, or sealed for another place. */
  open(place: Place, id: string, sealed: Uint8Array): string;
  /** Whether this process can open, or hash. */
  canOpen(purpose: Purpose): boolean;
  /** With these bytes begins what the current key has sealed. */
  currentHeader(purpose: SealPurpose): Buffer;
  /** A token of 32 characters for `subject`. */
  tokenOf(purpose: HashPurpose, subject: string): string;
  /** Whether the token was made for `subject` with any of the keys. Takes the same time for each wrong one. */
  isTokenOf(purpose: HashPurpose, subject: string, token: string): boolean;
  /** A keyed hash of 22 characters, by which text can be found but not read. */
  hashOf(kind: 'account' | 'phone', text: string): string;
}

export interface VaultAccess {
  vault: Vault;
}

/** A process was to do what its keys do not allow. */
class KeyMissing extends Error {
  override readonly name = 'KeyMissing';

  constructor(purpose: Purpose, act: 'open' | 'seal', id?: string) {
    const which = id === undefined ? 'no key' : `no key ${id}`;
    super(`TIDEGATE_KEYS of this process has ${which} to ${act} ${purpose} (${aboutPurpose(purpose)})`);
  }
}

/** What a sealed text begins with: this, and 4 bytes of the key's id. */
const magic = Buffer.from('TGK\x01', 'latin1');
export const headerLength = magic.length + 4;

/** `keys`: a key file. Throws `UnreadableKeys`. */
export function openVault(keys: string | KeyRing): Vault {
  const ring = typeof keys === 'string' ? readKeys(keys) : keys;
  // Made when first needed, because it takes some time.
  const openers = new Map<Key, (sealed: Buffer, place: Buffer) => string>();
  const openerOf = (key: Key) => {
    const found = openers.get(key) ?? makeOpener(key);
    openers.set(key, found);
    return found;
  };
  const halves = new Map<Key, Buffer>();
  const halfOf = (key: Key): Buffer => {
    const found = halves.get(key) ?? (key.use === 'seal' ? key.material : publicHalfOf(key.material));
    halves.set(key, found);
    return found;
  };
  const current = (purpose: Purpose): Key | undefined =>
    ring.find((key) => key.purpose === purpose && key.state === 'current');
  const hashing = (purpose: HashPurpose): Key => {
    const key = current(purpose);
    if (!key) throw new KeyMissing(purpose, 'open');
    return key;
  };
  const sealing = (purpose: SealPurpose): Key => {
    const key = current(purpose);
    if (!key) throw new KeyMissing(purpose, 'seal');
    return key;
  };
  const headerOf = (key: Key): Buffer => Buffer.concat([magic, Buffer.from(key.id, 'hex')]);
  return {
    seal: (place, id, text) => {
      const { purpose } = placeRows[place];
      const key = sealing(purpose);
      const bound = boundTo(place, id, key.id);
      if (kindOfPurpose(purpose) === 'secret')
        return Buffer.concat([headerOf(key), encrypt(key.material, text, bound)]);
      return Buffer.concat([headerOf(key), sealBox(halfOf(key), text, bound)]);
    },
    open: (place, id, given) => {
      const { purpose } = placeRows[place];
      const sealed = Buffer.from(given);
      if (!sealed.subarray(0, magic.length).equals(magic)) throw new KeyMissing(purpose, 'open');
      const keyId = sealed.subarray(magic.length, headerLength).toString('hex');
      const key = ring.find((one) => one.purpose === purpose && one.use === 'open' && one.id === keyId);
      if (!key) throw new KeyMissing(purpose, 'open', keyId);
      return openerOf(key)(sealed.subarray(headerLength), boundTo(place, id, keyId));
    },
    canOpen: (purpose) => ring.some((key) => key.purpose === purpose && key.use !== 'seal'),
    currentHeader: (purpose) => headerOf(sealing(purpose)),
    tokenOf: (purpose, subject) => tokenWith(hashing(purpose), purpose, subject),
    isTokenOf: (purpose, subject, token) => {
      const keys = ring.filter((key) => key.purpose === purpose);
      if (keys.length === 0) throw new KeyMissing(purpose, 'open');
      const matches = keys.filter((key) => areEqual(token, tokenWith(key, purpose, subject)));
      return matches.length > 0;
    },
    hashOf: (kind, text) =>
      createHmac('sha256', hashing('search').material).update(`${kind}\n${text}`).digest('base64url').slice(0, 22),
  };
}

function makeOpener({ purpose, material }: Key): (sealed: Buffer, place: Buffer) => string {
  if (kindOfPurpose(purpose) === 'box') return boxOpener(material);
  return (sealed, place) => decrypt(material, sealed, place);
}

/** What a sealed text is bound to. No part can contain a line break. */
function boundTo(place: Place, id: string, keyId: string): Buffer {
  const { where, purpose } = placeRows[place];
  return Buffer.from(['tidegate', where, id, purpose, keyId].join('\n'));
}

function tokenWith({ material }: Key, purpose: HashPurpose, subject: string): string {
  return createHmac('sha256', material).update(`${purpose}\n${subject}`).digest('base64url').slice(0, 32);
}

function areEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
