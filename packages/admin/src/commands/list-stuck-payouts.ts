import { pageStuckPayouts, unrestricted } from '@tidegate/domain/lists';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { firstRows } from '../line/first-rows.ts';
import { limit } from '../line/readers.ts';
import { orderRow } from '../line/views.ts';

export const listStuckPayouts = defineCommand({
  name: 'list-stuck-payouts',
  group: 'Orders',
  summary:
    'list payouts that have waited too long for their channel or for a decision on their proof, the oldest first',
  kind: 'read',
  roles: null,
  fields: { limit: optional('--limit <n>', 'the maximum number (default 100)', limit) },
  async run({ domain }, { limit = 100 }) {
    const stuck = await firstRows('stuck_payouts', limit, (page) => pageStuckPayouts(domain, unrestricted, {}, page));
    const rows = stuck.map(orderRow);
    return done(rows.length === 0 ? 'No payout is stuck.' : `Stuck payouts: ${rows.length}`, rows);
  },
});
