import { plainAccount, plainName, plainPhone } from '../../core/search-text.ts';
import { dialCodes } from '../../countries/index.ts';
import type { OrderFilter } from './order-filter.ts';

/** The meanings that a free text can have, each as a part of a filter. */
export type Reading = Pick<
  OrderFilter,
  'orderNoStartsWith' | 'merchantOrderNo' | 'merchantOrderNoStartsWith' | 'channelRef' | 'bankReference'
> &
  Pick<OrderFilter, 'account' | 'phone' | 'partyName'>;

const shortest = { merchantOrderNo: 3, account: 6, phone: 7, partyName: 3 };

/**
 * Everything that a free text can be, to be searched by index and combined with OR. `maySeePersonal`: whether the caller may read
 * accounts, phones and names; else it is none of these.
 */
export function readSearch(search: string, maySeePersonal: boolean): Reading[] {
  const typed = search.trim();
  if (typed === '') return [];
  const found: Reading[] = [{ channelRef: typed }, { bankReference: typed }];
  if (/^P[IO][0-9A-Z]{0,30}$/i.test(typed)) found.push({ orderNoStartsWith: typed.toUpperCase() });
  if (/^[!-~]{1,64}$/.test(typed))
    found.push(
      typed.length < shortest.merchantOrderNo ? { merchantOrderNo: typed } : { merchantOrderNoStartsWith: typed },
    );
  return maySeePersonal ? [...found, ...readPersonal(typed)] : found;
}

function readPersonal(typed: string): Reading[] {
  const hasDigits = /\p{Nd}/u.test(typed);
  const account = plainAccount(typed) ?? '';
  const phone = /^[\p{Nd}+()./\s-]+$/u.test(typed) ? (plainPhone(typed, dialCodes) ?? '') : '';
  const name = plainName(typed) ?? '';
  // Scripts without letter case write names with fewer characters.
  const isLongEnough = name.length >= shortest.partyName || (name.length === 2 && /[^\p{ASCII}]/u.test(name));
  return [
    ...(hasDigits && account.length >= shortest.account ? [{ account: typed }] : []),
    ...(phone.length >= shortest.phone ? [{ phone: typed }] : []),
    ...(/\p{L}/u.test(name) && isLongEnough ? [{ partyName: typed }] : []),
  ];
}
