// The identity of a movement: its account, and its reference there. A movement without a reference is identified by its content and by how often this
// content was there before on its day. Matching, repeats, versions and postings know a movement by this alone. `line` is SQL.

/** A bank's reference, unless it is only a number within its file. */
export const bankReferenceOf = (line: string): string =>
  `case when ${line}.bank_ref !~ '^[0-9]{1,6}$' then ${line}.bank_ref end`;

/** The reference that identifies a movement of an account: the channel's, else the bank's. Null: it has none. */
const referenceOf = (line: string): string => `coalesce(${line}.channel_ref, ${bankReferenceOf(line)})`;

/** The place of a line in its file. */
export const placeOf = (line: string): string => `${line}.file_no || '/' || ${line}.line_no || '/' || ${line}.part`;

/** The reference under which a line enters the ledger. One without a reference is the only line at its place. */
export const postedReferenceOf = (line: string): string =>
  `coalesce(${referenceOf(line)}, 'statement ' || ${placeOf(line)})`;

/** Whether the line `d` has the reference of the line `l`. A channel's reference is never used again. A bank's can be, on another day. */
export const hasReferenceOf = (d: string, l: string): string => `(${d}.channel_ref = ${l}.channel_ref
    or ${d}.channel_ref is null and ${l}.channel_ref is null and ${d}.bank_ref = (${bankReferenceOf(l)}) and ${d}.day = ${l}.day)`;

/** All values of a line, except its place and the balance after it. A line that is inserted before it changes both. */
export const contentOf = (line: string): string =>
  `md5(row(${[
    'day',
    'type',
    'direction',
    'gross',
    'fee',
    'tax',
    'net',
    'currency',
    'occurred_at',
    'channel_ref',
    'order_no',
    'bank_ref',
    'settlement_ref',
  ]
    .map((column) => `${line}.${column}`)
    .join(', ')})::text)`;

/** What identifies the movement of a line in its account. A bank's reference does so on its day. */
export const movementOf = (line: string): string =>
  `coalesce(${line}.channel_ref, ${bankReferenceOf(line)} || ' ' || ${line}.day, ${contentOf(line)})`;

/** How often the content of a line was there up to it, in the order of files and rows: 1 the first time. Lines that are `last` come after all others. */
export const occurrenceOf = (line: string, last = 'false'): string =>
  `row_number() over (partition by ${contentOf(line)} order by ${last}, ${line}.file_no, ${line}.line_no, ${line}.part)`;

/** Whether none of these references of the line `l` and the entry `e` differ: a reference that only one of both has says nothing. */
export const mayBeSame = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([l, e]) => `(l.${l} is null or e.${e} is null or l.${l} = e.${e})`).join(' and ');

/** Whether the line `l` can show the entry `e`: no reference contradicts. The channel has one reference of a payment, and one of its order. */
export const mayShow = `(${mayBeSame(['order_no', 'order_no'], ['bank_ref', 'bank_ref'])}
    and (l.channel_ref is null or (e.channel_ref is null and e.order_ref is null) or l.channel_ref in (e.channel_ref, e.order_ref)))`;

/** Whether the line `l` is near enough to the day of the entry `e` for a bank's reference to identify it: the ledger may have it a day apart. */
export const isOnItsDay = 'l.day between e.day - 1 and e.day + 1';
