import { listMerchants } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional } from '../line/fields.ts';
import { limit } from '../line/readers.ts';
import { timeText } from '../line/views.ts';

export const listMerchantsCommand = defineCommand({
  name: 'list-merchants',
  group: 'Merchants',
  summary: 'list merchants by number',
  kind: 'read',
  roles: null,
  fields: { limit: optional('--limit <n>', 'the maximum number (default 100)', limit) },
  async run({ domain }, { limit = 100 }) {
    const rows = await listMerchants(domain, limit);
    return done(
      `Merchants: ${rows.length}`,
      rows.map((one) => ({ ...one, createdAt: timeText(one.createdAt) })),
    );
  },
});
