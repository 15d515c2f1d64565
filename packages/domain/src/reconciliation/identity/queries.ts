// The identity of a movement: its account, and its reference there. A movement without a reference is identified by its content and by how often this
// content was there before on its day. Matching, repeats, versions and postings know a movement by this alone. `line` is SQL.

/** A bank's reference, unless it is only a number within its file. */
export const bankReferenceOf = (line: string): string =>
  `case when ${line}.bank_ref !~ '^[0-9]{1,6}$' then ${line}.bank_ref end`;

/** The reference that identifies a movement of an account: the channel's, else the bank's. Null: it has none. */
const referenceOf = (line: string): string => `coalesce(${line}.channel_ref, ${bankReferenceOf(line)})`;

/** The reference under which a line enters the ledger. One without a reference is the only line at its place. */
export const postedReferenceOf = (line: string): string =>
  `coalesce(${referenceOf(line)}, 'statement ' || ${line}.file_no || '/' || ${line}.line_no || '/' || ${line}.part)`;

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
