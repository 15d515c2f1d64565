import { platformMerchantOf } from '../../core/country.ts';
import { currencyOf } from '../../countries/index.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { Scope } from '../../lists/scope.ts';
import {
  type Break,
  firstPlace,
  type LineOfDay,
  type LinePlace,
  pageBreaks,
  pageLinesOfDay,
} from '../../reconciliation/index.ts';
import type { ExportedDay } from '../types.ts';
import { type ColumnOf, cellPages, columnsOf, pageSize, type Source, sourceOfList } from './source.ts';

const breakColumns = (currency: string): readonly ColumnOf<Break>[] => [
  ['break', 'number', ({ breakNo }) => breakNo],
  ['day', 'text', ({ day }) => day],
  ['channel', 'text', ({ channelId }) => channelId],
  ['kind', 'text', ({ kind }) => kind],
  ['state', 'text', ({ state }) => state],
  ['currency', 'text', () => currency],
  ['amount', 'amount', ({ amount }) => amount],
  ['subject', 'text', ({ subject }) => subject],
  ['order', 'text', ({ orderNo }) => orderNo],
  ['statement', 'number', ({ fileNo }) => fileNo],
  ['line', 'number', ({ lineNo }) => lineNo],
  ['merchant', 'text', ({ creditedId, ownerId }) => creditedId ?? ownerId],
  ['found', 'time', ({ openedAt }) => openedAt],
  ['ended', 'time', ({ closedAt }) => closedAt],
  ['operator', 'text', ({ decidedBy }) => decidedBy],
  ['second operator', 'text', ({ approver }) => approver],
  ['reason', 'text', ({ reason }) => reason],
];

/** The breaks of a day, in the order in which they were found. */
export function openBreaks(
  domain: DatabaseAccess,
  scope: Scope,
  { country, channelId, day }: ExportedDay,
  maxRows: number,
): Promise<Source> {
  const filter = {
    merchantIds: [platformMerchantOf(country)],
    dayFrom: day,
    dayTo: day,
    ...(channelId !== null && { channelIds: [channelId] }),
  };
  const read = (page: Parameters<typeof pageBreaks>[3]) =>
    pageBreaks(domain, scope, filter, page, { isReversed: true });
  return sourceOfList<Break, 'breaks'>('breaks', breakColumns(currencyOf[country]), read, maxRows + 1);
}

const lineColumns: readonly ColumnOf<LineOfDay>[] = [
  ['statement', 'number', ({ fileNo }) => fileNo],
  ['line', 'number', ({ lineNo }) => lineNo],
  ['part', 'number', ({ part }) => part],
  ['day', 'text', ({ day }) => day],
  ['channel', 'text', ({ channelId }) => channelId],
  ['type', 'text', ({ type }) => type],
  ['direction', 'text', ({ direction }) => direction],
  ['currency', 'text', ({ currency }) => currency],
  ['gross', 'amount', ({ gross }) => gross],
  ['fee', 'amount', ({ fee }) => fee],
  ['tax', 'amount', ({ tax }) => tax],
  ['net', 'amount', ({ net }) => net],
  ['occurred', 'time', ({ occurredAt }) => occurredAt],
  ['channel reference', 'text', ({ channelRef }) => channelRef],
  ['order', 'text', ({ orderNo }) => orderNo],
  ['bank reference', 'text', ({ bankRef }) => bankRef],
  ['settlement reference', 'text', ({ settlementRef }) => settlementRef],
  ['balance after', 'amount', ({ balanceAfter }) => balanceAfter],
  ['match', 'number', ({ matchNo }) => matchNo],
  ['matched by', 'text', ({ rule }) => rule],
  ['difference', 'amount', ({ difference }) => difference],
];

/** The lines of a day, statement by statement, each with the match that explains it. */
export async function openStatementLines(domain: DatabaseAccess, exported: ExportedDay): Promise<Source> {
  const { country, channelId, day } = exported;
  const of = { tenant: platformMerchantOf(country), day, channelId };
  return { columns: columnsOf(lineColumns), expected: null, pages: cellPages(lineColumns, pagesOf(domain, of)) };
}

async function* pagesOf(
  domain: DatabaseAccess,
  of: { tenant: string; day: string; channelId: string | null },
): AsyncGenerator<LineOfDay[]> {
  let after: LinePlace = firstPlace;
  for (;;) {
    const rows = await pageLinesOfDay(domain, of, after, pageSize);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last;
  }
}
