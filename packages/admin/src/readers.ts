import { isInputAmount, roles, withTwoDecimals } from '@tidegate/domain';
import { InvalidArgumentError } from 'commander';
import { matching, oneOf } from './fields.ts';

// What the texts on the command line are read as. Amounts stay text (decisions 3.1).

export const merchantNo = matching(
  /^[A-Z0-9-]{3,32}$/,
  'a merchant number: 3 to 32 capital letters, digits or hyphens',
);
export const orderNo = matching(/^P[IO][0-9A-Z]{1,30}$/, 'a service order number, which begins with PI or PO');
export const channelId = matching(/^[a-z0-9-]{2,32}$/, 'a channel id: 2 to 32 small letters, digits or hyphens');
export const operatorId = matching(/^[a-z0-9._@-]{2,64}$/, 'an operator id: 2 to 64 small letters, digits or . _ @ -');
export const bankCode = matching(/^[A-Z0-9_]{2,32}$/, 'a bank code: 2 to 32 capital letters, digits or underscores');
export const percent = matching(
  /^(100(\.0{1,4})?|[0-9]{1,2}(\.[0-9]{1,4})?)$/,
  'a percentage from 0 to 100, at most 4 decimals',
);
export const feePart = matching(/^[0-9]{1,12}(\.[0-9]{1,2})?$/, 'an amount such as 5.00');
export const reference = matching(/^\S.{0,127}$/su, 'a reference of 1 to 128 characters');
export const bookingNo = matching(/^[!-~]{1,64}$/, 'a booking number: 1 to 64 visible ASCII characters');
export const text = matching(/^\S.{0,254}$/su, 'a text of 1 to 255 characters');
export const url = matching(/^https?:\/\/\S+$/i, 'an http or https URL');
export const path = matching(/^.+$/, 'the path of a file, or - for standard input');
export const kind = oneOf('payin', 'payout');

export function amount(given: string): string {
  if (!isInputAmount(given)) throw new InvalidArgumentError('Expected an amount above 0 such as 1000 or 99.50.');
  return withTwoDecimals(given);
}

/** An amount that may have a minus. */
export function signedAmount(given: string): string {
  return given.startsWith('-') ? `-${amount(given.slice(1))}` : amount(given);
}

export function onOff(given: string): boolean {
  return oneOf('on', 'off')(given) === 'on';
}

/** A whole number above 0 that PostgreSQL's integer holds. */
export function count(given: string): number {
  return Number(matching(/^[1-9][0-9]{0,8}$/, 'a whole number from 1 to 999999999')(given));
}

/** For lists: at most 1000 rows. */
export function limit(given: string): number {
  return Number(matching(/^([1-9][0-9]{0,2}|1000)$/, 'a whole number from 1 to 1000')(given));
}

/** An instant with its zone; a day alone is the beginning of that day in UTC. */
export function instant(given: string): Date {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
  const at = new Date(matching(form, 'a time such as 2026-12-31 or 2026-12-31T18:00:00Z')(given));
  if (Number.isNaN(at.getTime())) throw new InvalidArgumentError('There is no such time.');
  return at;
}

export const roleList = listOf(oneOf(...roles));
export const networks = listOf(matching(/^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/, 'addresses or networks'));

function listOf<T>(read: (text: string) => T): (text: string) => T[] {
  return (given) => given.split(',').map((part) => read(part.trim()));
}
