import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { platformMerchantOf } from '../core/country.ts';
import { countries, timeZoneOf } from '../countries/index.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database, DatabaseAccess } from '../database/database.ts';
import { ReconciliationBreakRow } from '../database/entities/reconciliation.ts';
import { assignedAs, assignedFilter } from '../lists/assigned.ts';
import { given, is, isOneOf } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds, orderNo } from '../lists/filter-parts.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { amongMerchants, merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../lists/values.ts';
import { type BreakOutcome, outcomesOf } from './breaks/decide-resolution.ts';
import { isDay } from './files/decide-totals.ts';
import { creditedBreaksSql } from './missing-credits/queries.ts';
import { type Break, type BreakAge, type BreaksOfAge, breakAges, breakKinds, breakStates } from './types.ts';

export const dayText = boundedText(256).refine(isDay, 'must be a day, such as 2026-11-21');

/** `merchantIds`: platform tenants. Days are those on which a break is expected, both inclusive. */
export const breakFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(breakStates)),
  kinds: anyOf(z.enum(breakKinds)),
  channelIds: anyOf(channelId),
  dayFrom: dayText.nullish(),
  dayTo: dayText.nullish(),
  ages: anyOf(z.enum(Object.keys(breakAges) as BreakAge[])),
  orderNo: orderNo.nullish(),
  fileNo: z.number().int().min(1).nullish(),
  amount: matchingText(
    20,
    /^-?(0|[1-9][0-9]{0,15})\.[0-9]{2}$/,
    'must be an amount with two decimals, such as -5.00',
  ).nullish(),
  ...assignedFilter,
});
export type BreakFilter = z.infer<typeof breakFilter>;

/** Breaks by the time at which they were found, the newest first unless `isReversed`. */
export function pageBreaks(
  { database }: { database: Database },
  scope: Scope,
  filter: BreakFilter,
  page: PageRequest<'breaks'>,
  { isReversed = false }: { isReversed?: boolean } = {},
): Promise<Page<Break>> {
  const wanted = filter.merchantIds ?? null;
  const number = (column: string, sign: string, value: unknown, type: string, add: Add): string | null =>
    value == null ? null : `${column} ${sign} ${add(value)}::${type}`;
  return readPage(
    database.reading,
    {
      table: 'reconciliation_break',
      columns: columnsOf(database.orm, ReconciliationBreakRow),
      isReversed,
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf('t.state', filter.states, add),
          isOneOf('t.kind', filter.kinds, add),
          isOneOf('t.channel_id', filter.channelIds, add),
          is('t.order_no', filter.orderNo, add),
          number('t.file_no', '=', filter.fileNo, 'bigint', add),
          number('t.amount', '=', filter.amount, 'numeric', add),
          number('t.day', '>=', filter.dayFrom, 'date', add),
          number('t.day', '<=', filter.dayTo, 'date', add),
          isOfAge(filter.ages, add),
          ...assignedAs(filter, `'break ' || t.break_no`, add),
        ),
      ],
    },
    page,
  );
}

/** The days since the break `t` was expected. What is expected tomorrow, in another time zone, is as old as today's. */
const ageOf = (add: Add): string => {
  const [names, zones] = [countries.map(platformMerchantOf), countries.map((country) => timeZoneOf[country])];
  return `(select greatest(0, (clock_timestamp() at time zone z.zone)::date - t.day)
    from unnest(${add(names)}::text[], ${add(zones)}::text[]) as z(tenant, zone) where z.tenant = t.merchant_id)`;
};

function isOfAge(ages: readonly BreakAge[] | null | undefined, add: Add): string | null {
  if (ages == null) return null;
  const age = ageOf(add);
  const ranges = ages.map((name) => breakAges[name]);
  return `(${ranges.map(([least, most]) => (most === null ? `${age} >= ${least}` : `${age} between ${least} and ${most}`)).join(' or ') || 'false'})`;
}

/** `merchantIds`: platform tenants. */
export const breakAgesFilter = z.strictObject({ merchantIds, channelIds: anyOf(channelId) });

/** The open breaks by tenant and age, the youngest first. An age without breaks has no row. */
export async function countBreaksByAge(
  { database }: { database: Database },
  scope: Scope,
  filter: z.infer<typeof breakAgesFilter>,
): Promise<BreaksOfAge[]> {
  const { values, add } = collectValues();
  const names = Object.entries(breakAges).map(([name, [, most]]) =>
    most === null ? `else '${name}'` : `when a.age <= ${most} then '${name}'`,
  );
  const conditions = whereAll([
    ...amongMerchants(filter.merchantIds ?? null, scope, add),
    ...given(isOneOf('t.channel_id', filter.channelIds, add)),
    "t.state in ('open', 'posting')",
  ]);
  const { rows } = await database.reading.query<BreaksOfAge & object>(
    `select t.merchant_id as "merchantId", case ${names.join(' ')} end as age, count(*)::integer as breaks, sum(abs(t.amount))::text as amount
     from reconciliation_break t cross join lateral (select ${ageOf(add)} as age) a ${conditions} group by 1, 2 order by 1, min(a.age)`,
    values,
  );
  return rows;
}

/** How breaks can end, by their references. Empty: there is no such break in scope. At most 1,000. */
export async function loadBreakOutcomes(
  domain: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; breakNo: number }[],
): Promise<BreakOutcome[][]> {
  const found = await loadBreaks(domain, scope, refs);
  const missing = found.filter((one) => one?.amount.startsWith('-'));
  const keys = [missing.map((one) => one?.merchantId), missing.map((one) => one?.breakNo)];
  const { rows } = await domain.database.reading.query<{ merchantId: string; breakNo: number }>(
    creditedBreaksSql,
    keys,
  );
  const credited = new Set(rows.map(({ merchantId, breakNo }) => `${merchantId} ${breakNo}`));
  return found.map((one) => (one ? outcomesOf(one, credited.has(`${one.merchantId} ${one.breakNo}`)) : []));
}

const breaks = ofMerchant(ReconciliationBreakRow, ['break_no', 'bigint']);

export function loadBreaks(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; breakNo: number }[],
): Promise<(Break | null)[]> {
  return loadRows<Break>(
    database,
    breaks,
    refs.map(({ merchantId, breakNo }) => [merchantId, breakNo]),
    scope,
  );
}
