import type { DeclaredMode } from '../core/environment.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { ChannelRow } from '../database/entities/channel.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import type { Scope } from '../lists/scope.ts';
import { routedWithin } from './queries.ts';

/** An upstream channel, without its credentials. Times are Unix milliseconds. */
export interface ChannelRecord {
  channelId: string;
  adapter: string;
  baseUrl: string;
  enabled: boolean;
  payinExpirySeconds: number;
  /** What operators declared about its account; null: nothing. */
  declaredMode: DeclaredMode | null;
  declaredBy: string | null;
  declaredApprover: string | null;
  declaredAt: number | null;
  declaredEvidence: string | null;
  createdAt: number;
  changedAt: number;
}

/** Columns that are never read. The mode is that of the opened channel. */
export const channelSecrets = ['credentials', 'credentialsSetAt', 'seen', 'mode'];

/** Channels by id. A restricted operator sees those that a route of their merchants uses. */
export function pageChannels(
  { database }: { database: Database },
  scope: Scope,
  page: PageRequest<'channels'>,
): Promise<Page<ChannelRecord>> {
  return readPage(
    database.reading,
    {
      table: 'channel',
      columns: columnsOf(database.orm, ChannelRow, channelSecrets),
      merchants: null,
      indexConditions: () => [],
      rowConditions: (add) => routedWithin(scope, add),
    },
    page,
  );
}
