import type { FetchedStatement, StatementRequest } from '@tidegate/domain/channels';
import { z } from 'zod';
import type { HttpResult } from '../provider/http-client.ts';
import { type Account, readReply, send, unanswered } from './api.ts';
import type { KeyPair } from './settings.ts';

/** The formats that read Razorpay's settlements, and the account of RazorpayX. */
export const razorpayStatements = { settlements: 'razorpay-recon', account: 'razorpayx-statement' } as const;

const maxPages = 10_000;
const maxPageBytes = 4 * 1024 * 1024;
/** Razorpay's day is that of India. Rows may come a while after its end. */
const settledMs = 3_600_000;
const itemsOnly = z.object({ items: z.array(z.unknown()).max(1_000) });

interface List {
  keys: KeyPair;
  path: string;
  query: Record<string, string>;
  pageSize: number;
}

/**
 * The rows of a day, one page after the other as they came. Settlements:
 * https://razorpay.com/docs/api/settlements/fetch-recon. Account: https://razorpay.com/docs/api/x/transactions/fetch-all.
 */
export async function fetchStatement(
  account: Account,
  { format, day }: StatementRequest,
  signal: AbortSignal,
): Promise<FetchedStatement> {
  const start = Date.parse(`${day}T00:00:00+05:30`);
  const end = start + 86_400_000;
  const list = listOf(account, format, day, start / 1_000, end / 1_000);
  if (list === null) return unknown('Razorpay has no statement of this format for this channel');
  const first = await readPage(account, list, 0, signal);
  if (first.kind === 'failed') return unknown(first.detail);
  if (first.now < end + settledMs) return { outcome: 'not_ready', detail: 'the day is not over at Razorpay' };
  return { outcome: 'ready', bytes: allPages(account, list, first, signal) };
}

function listOf({ settings }: Account, format: string, day: string, from: number, end: number): List | null {
  if (format === razorpayStatements.settlements) {
    const [year = '', month = '', date = ''] = day.split('-');
    const query = { year, month, day: date };
    return { keys: settings.keys, path: '/settlements/recon/combined', query, pageSize: 1_000 };
  }
  if (format !== razorpayStatements.account || settings.payouts === undefined) return null;
  const { keys, accountNumber } = settings.payouts;
  const query = { account_number: accountNumber, from: String(from), to: String(end - 1) };
  return { keys, path: '/transactions', query, pageSize: 100 };
}

interface Page {
  kind: 'page';
  raw: Uint8Array;
  items: number;
  /** Razorpay's clock, in Unix milliseconds. */
  now: number;
}

async function readPage(
  account: Account,
  { keys, path, query, pageSize }: List,
  skip: number,
  signal: AbortSignal,
): Promise<Page | { kind: 'failed'; detail: string }> {
  const parameters = new URLSearchParams({ ...query, count: String(pageSize), skip: String(skip) });
  const call = { method: 'GET', path: `${path}?${parameters}`, maxReplyBytes: maxPageBytes } as const;
  const result = await send(account, keys, call, signal);
  const reply = readReply(result);
  if (reply.kind !== 'ok' || result.kind !== 'json')
    return { kind: 'failed', detail: reply.kind === 'ok' ? 'no page' : unanswered(reply).detail };
  const parsed = itemsOnly.safeParse(reply.json);
  if (!parsed.success) return { kind: 'failed', detail: 'a page without items' };
  return { kind: 'page', raw: result.raw, items: parsed.data.items.length, now: clockOf(result) };
}

function clockOf(result: HttpResult & { kind: 'json' }): number {
  const shown = Date.parse(String(result.headers.date ?? ''));
  return Number.isNaN(shown) ? Date.now() : shown;
}

/** A page may be shorter than asked for, so only an empty one is the end. It is part of the file too. */
async function* allPages(account: Account, list: List, first: Page, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let page = first;
  let skip = 0;
  for (let pages = 1; pages < maxPages; pages++) {
    yield page.raw;
    if (page.items === 0) return;
    skip += page.items;
    const next = await readPage(account, list, skip, signal);
    if (next.kind === 'failed') throw new Error(`the statement broke off after ${skip} rows: ${next.detail}`);
    page = next;
  }
  throw new Error(`the statement has more than ${maxPages} pages`);
}

const unknown = (detail: string): FetchedStatement => ({ outcome: 'unknown', detail });
