import type { FetchedStatement, StatementRequest } from '@tidegate/domain/channels';
import * as z from 'zod';
import { readResult, send } from './exchange.ts';
import type { OpnAccount } from './settings.ts';

/** The statement format that reads the transactions. */
export const opnStatement = 'opn-transactions';

const perPage = 100;
const maxPages = 20_000;
/** A hundred transactions, each with its charge. */
const maxPageBytes = 4 * 1024 * 1024;
/** Thailand has no summer time. */
const thaiOffsetMs = 7 * 3_600_000;
const dayMs = 24 * 3_600_000;
/** A transaction may appear in the list up to this time after it was made. */
const listedMs = 3_600_000;
const wireList = z.object({
  object: z.literal('list'),
  total: z.int().nonnegative(),
  data: z.array(z.unknown()).max(perPage),
});

/**
 * Fetches everything that changed the balance on a day in Thailand: charges, refunds, and transfers to our bank. The
 * statement has the unchanged pages of Opn, one after the other. Each transaction includes the object that caused it
 * (https://docs.omise.co/transactions-api, https://docs.omise.co/api-pagination).
 */
export async function fetchTransactions(
  account: OpnAccount,
  { format, day }: StatementRequest,
  signal: AbortSignal,
): Promise<FetchedStatement> {
  if (format !== opnStatement) return { outcome: 'unknown', detail: 'Opn has no statement of this format' };
  const start = Date.parse(`${day}T00:00:00Z`) - thaiOffsetMs;
  // The last second: a transaction of the next midnight belongs to the next day.
  const period = { from: iso(start), to: iso(start + dayMs - 1_000) };
  const first = await readPage(account, period, 0, signal);
  if (first.kind === 'failed') return { outcome: 'unknown', detail: first.detail };
  if (first.now < start + dayMs + listedMs) return { outcome: 'not_ready', detail: 'the day is not over at Opn' };
  return { outcome: 'ready', bytes: allPages(account, period, first, signal) };
}

interface Page {
  kind: 'page';
  raw: Uint8Array;
  rows: number;
  total: number;
  /** Opn's clock, in Unix milliseconds. */
  now: number;
}

async function readPage(
  account: OpnAccount,
  period: { from: string; to: string },
  offset: number,
  signal: AbortSignal,
): Promise<Page | { kind: 'failed'; detail: string }> {
  const query = new URLSearchParams({
    ...period,
    limit: String(perPage),
    offset: String(offset),
    order: 'chronological',
    expand: 'true',
  });
  const call = { method: 'GET', path: `/transactions?${query}`, maxReplyBytes: maxPageBytes } as const;
  const result = await send(account, call, signal);
  const reply = readResult(result);
  if (reply.kind !== 'object' || result.kind !== 'json')
    return { kind: 'failed', detail: reply.kind === 'object' ? 'no page' : reply.detail };
  const read = wireList.safeParse(reply.json);
  if (!read.success) return { kind: 'failed', detail: 'unreadable: not a list of transactions' };
  const shown = Date.parse(String(result.headers.date ?? ''));
  const now = Number.isNaN(shown) ? Date.now() : shown;
  return { kind: 'page', raw: result.raw, rows: read.data.data.length, total: read.data.total, now };
}

/** Reads pages until there are as many rows as Opn says. The parser of the format compares the numbers again. */
async function* allPages(
  account: OpnAccount,
  period: { from: string; to: string },
  first: Page,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let page = first;
  let rows = 0;
  for (let pages = 1; pages <= maxPages; pages++) {
    yield page.raw;
    rows += page.rows;
    if (page.rows === 0 || rows >= page.total) return;
    const next = await readPage(account, period, rows, signal);
    if (next.kind === 'failed') throw new Error(`the statement broke off after ${rows} rows: ${next.detail}`);
    page = next;
  }
  throw new Error(`the statement has more than ${maxPages} pages`);
}

const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.[0-9]{3}Z$/, 'Z');
