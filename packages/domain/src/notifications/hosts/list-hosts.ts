import { z } from 'zod';
import { columnsOf } from '../../database/columns.ts';
import type { Database } from '../../database/database.ts';
import { HostHealthRow } from '../../database/entities/figures.ts';
import { given, is } from '../../lists/conditions.ts';
import { merchantIds, text } from '../../lists/filter-parts.ts';
import type { Page, PageRequest } from '../../lists/page.ts';
import { readPage } from '../../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../../lists/scope.ts';
import { waitingSql } from './queries.ts';

export const hostFilter = z.strictObject({
  merchantIds,
  host: text.nullish(),
  /** Whether the last attempt failed. */
  failing: z.boolean().nullish(),
});
export type HostFilter = z.infer<typeof hostFilter>;

/** A host to which a merchant's notifications went in the last 30 days. Times are Unix milliseconds. */
export interface HostRecord {
  merchantId: string;
  host: string;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastError: string | null;
  lastHttpStatus: number | null;
  lastAttemptAt: number;
}

/** Hosts by merchant and name. They are a minute or two behind the attempts. */
export function pageHosts(
  { database }: { database: Database },
  scope: Scope,
  filter: HostFilter,
  page: PageRequest<'notification_hosts'>,
): Promise<Page<HostRecord>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'host_health',
      columns: columnsOf(database.orm, HostHealthRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(is('t.host', filter.host, add), failing(filter.failing ?? null)),
      ],
    },
    page,
  );
}

function failing(wanted: boolean | null): string | null {
  const fails = `coalesce(t.last_failure_at = t.last_attempt_at, false)`;
  if (wanted === null) return null;
  return wanted ? fails : `not ${fails}`;
}

/** Notifications that wait for their host, or for the end of their merchant's pause. */
export interface Waiting {
  /** Counted up to 10,000. */
  waiting: number;
  isExact: boolean;
  /** The time since which the oldest is due, in Unix milliseconds; null if none waits. */
  oldestAt: number | null;
}

const most = 10_000;

/** The notifications that wait at these hosts, in their order. */
export async function loadWaiting(
  { database }: { database: Database },
  hosts: readonly Pick<HostRecord, 'merchantId' | 'host'>[],
): Promise<Waiting[]> {
  const { rows } = await database.reading.query<{ place: number; waiting: number; oldestAt: number | null }>(
    waitingSql,
    [hosts.map(({ host }) => host), hosts.map(({ merchantId }) => merchantId), most + 1],
  );
  const found = new Map(rows.map(({ place, waiting, oldestAt }) => [place, { waiting, oldestAt }]));
  return hosts.map((_, i) => {
    const { waiting = 0, oldestAt = null } = found.get(i + 1) ?? {};
    return { waiting: Math.min(waiting, most), isExact: waiting <= most, oldestAt };
  });
}
