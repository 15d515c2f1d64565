import { listServiceKeys } from '@tidegate/domain/admin';
import { listCommonServiceKeys } from '@tidegate/domain/operators';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { merchantNo } from '../readers.ts';
import { plainRow, timeText } from '../views.ts';

export const listServiceKeysCommand = defineCommand({
  name: 'list-service-keys',
  group: 'Merchants',
  summary:
    "the service's keys for a merchant's notifications: the current one first, the others are published until their end",
  kind: 'read',
  roles: null,
  restricted: true,
  fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
  async run({ domain, operator }, { merchant }) {
    if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
    const rows = await listServiceKeys(domain, [merchant]);
    return done(
      `Merchant ${merchant}: ${rows.length}`,
      rows.map(({ createdAt, ...one }) => ({ ...plainRow(one), createdAt: timeText(createdAt) })),
    );
  },
});

export const listCommonServiceKeysCommand = defineCommand({
  name: 'list-common-service-keys',
  group: 'First set-up',
  summary: 'after an upgrade: the common key, which signs for merchants that do not use their own yet, and its end',
  kind: 'read',
  roles: null,
  fields: {},
  async run({ domain }) {
    const rows = await listCommonServiceKeys(domain);
    return done(
      `Common keys: ${rows.length}`,
      rows.map(({ createdAt, endsAt, ...one }) => ({
        ...one,
        createdAt: timeText(createdAt),
        endsAt: timeText(endsAt),
      })),
    );
  },
});
