// The texts that a search compares. They are the same, whether the text was stored or typed. Each is null if nothing is
// left to compare.

/** An account or wallet number without width, case, spaces and signs: `50100-234 567` and `50100234567` are one. */
export function plainAccount(typed: string): string | null {
  const plain = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
  return plain === '' ? null : plain;
}

/** A number with fewer digits has no dial code. */
const shortestWithDialCode = 11;

/**
 * A phone number as digits, without leading zeros and without a dial code: `+91 98123 45678`, `098123 45678` and
 * `9812345678` are one. `dialCodes` has those of all countries.
 */
export function plainPhone(typed: string, dialCodes: readonly string[]): string | null {
  const digits = typed
    .normalize('NFKC')
    .replace(/[^0-9]/g, '')
    .replace(/^0+/, '');
  const dialCode = dialCodes.find((code) => digits.length >= shortestWithDialCode && digits.startsWith(code));
  const plain = dialCode === undefined ? digits : digits.slice(dialCode.length).replace(/^0+/, '');
  return plain === '' ? null : plain;
}

/** Longer names are compared by their beginning. */
const maxName = 64;

/** A name in lower-case letters, its words separated by one space, without marks and signs: `Asha  RAO-Singh` is `asha rao singh`. */
export function plainName(typed: string): string | null {
  const plain = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  // By characters: half of a surrogate pair could not be stored.
  const beginning = [...plain].slice(0, maxName).join('').trim();
  return beginning === '' ? null : beginning;
}

/** The last word of a plain name of several words; null for a name of one word. */
export function lastWordOf(name: string): string | null {
  const [, last] = /^.* (\S+)$/.exec(name) ?? [];
  return last ?? null;
}
