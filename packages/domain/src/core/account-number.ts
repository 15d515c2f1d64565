/**
 * Whether two account numbers can be of one account. `whole`: they are the same number. `ending`: one of them is masked
 * or shorter, and what it shows agrees with the other. `no`: they are of two accounts.
 */
export type AccountFit = 'whole' | 'ending' | 'no';

/** The fewest characters by which an account is known. */
const leastShown = 4;

/**
 * Compares two account numbers as statements and people write them: without regard to spaces, dots, hyphens and case. A
 * bank may write its code before the number (`HDFC/123456`) or the currency after it, or hide a part of it (`XXXX1234`).
 */
export function fitOfAccounts(one: string, other: string): AccountFit {
  const [a, b] = [plain(one), plain(other)];
  const isMasked = a.includes(hidden) || b.includes(hidden);
  if (a === b && !isMasked) return 'whole';
  if (withoutCurrency(a) === withoutCurrency(b)) return 'ending';
  if (a.length === b.length) return isMasked && agree(a, b) ? 'ending' : 'no';
  const [short, long] = [shownEnd(a), shownEnd(b)].toSorted((x, y) => x.length - y.length) as [string, string];
  return short.length >= leastShown && long.endsWith(short) ? 'ending' : 'no';
}

const hidden = '*';

function plain(account: string): string {
  return account
    .replaceAll(/[\s.-]/g, '')
    .toUpperCase()
    .replaceAll(/[•#…]|X{3,}/g, (mask) => hidden.repeat(mask.length));
}

function withoutCurrency(account: string): string {
  return account.replace(/(?<=\d{4})[A-Z]{3}$/, '');
}

/** The same characters wherever neither hides one, and at least as many as needed at the end. */
function agree(a: string, b: string): boolean {
  const shown = Math.min(shownEnd(a).length, shownEnd(b).length);
  return shown >= leastShown && [...a].every((sign, i) => sign === b[i] || sign === hidden || b[i] === hidden);
}

function shownEnd(account: string): string {
  return account.slice(account.lastIndexOf(hidden) + 1);
}

/** The last four characters of an account number, by which people tell accounts apart. */
export function endingOf(account: string): string {
  return account.replaceAll(' ', '').slice(-4);
}
