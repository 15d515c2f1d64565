import type { StatementFormat, StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import { csvRows } from '../csv/csv-rows.ts';
import { hasHeader } from '../csv/recognise-header.ts';
import { boundedBytes, peek } from '../reading/bytes.ts';
import { jsonRows } from '../reading/json-rows.ts';
import type { Limits } from '../reading/limits.ts';
import { RunningBalance } from '../reading/running-balance.ts';
import { isJsonPage } from '../reading/start.ts';
import { razorpayxCsv } from './csv-profile.ts';
import { readTransaction, wireTransaction } from './read-row.ts';

/**
 * The statement of a RazorpayX account: the answers of `GET /v1/transactions`, one page after the other, as they came;
 * or the CSV of the account. The balance after each row shows whether rows are missing.
 */
export function razorpayxStatement(limits: Limits): StatementFormat {
  return {
    name: 'razorpayx-statement',
    version: 2,
    recognises: (start) =>
      hasHeader(start, razorpayxCsv) ||
      isJsonPage(start, {
        empty: /"items"\s{0,9}:\s{0,9}\[\s{0,9}\]/,
        page: /"items"/,
        item: /"entity"\s{0,9}:\s{0,9}"transaction"/,
      }),
    async *read(bytes, options) {
      const { first, all } = await peek(boundedBytes(bytes, limits.bytes), 64);
      const start = Buffer.from(first)
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .trimStart();
      if (start.startsWith('{')) yield* readJson(all, options, limits);
      else yield* csvRows(all, { ...options, profile: razorpayxCsv }, limits);
    },
  };
}

async function* readJson(
  bytes: AsyncIterable<Uint8Array>,
  options: StatementOptions,
  limits: Limits,
): AsyncGenerator<StatementRow> {
  const balance = new RunningBalance('newest first');
  let account: string | null = null;
  const rows = jsonRows(bytes, {
    list: 'items',
    schema: wireTransaction,
    limits,
    readItem(item, lineNo) {
      const number = item.account_number ?? null;
      if (account !== null && number !== null && number !== account)
        throw new StatementUnreadable('other_format', 'the rows are of more than one account', lineNo);
      account ??= number;
      return readTransaction(item, lineNo, { limits, options, balance });
    },
  });
  let count = 0;
  for await (const row of rows) {
    if (row.kind === 'unparsed') balance.skip();
    count += 1;
    yield row;
  }
  if (count === 0) return;
  const { opening, closing } = balance.ends();
  const none = { currency: null, from: null, to: null, lines: null, totalIn: null, totalOut: null };
  yield { kind: 'summary', summary: { ...none, account, opening, closing } };
}
