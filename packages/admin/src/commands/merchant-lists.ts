import type { Domain } from '@tidegate/domain';
import { listFeeRules, listMerchantKeys, listRoutes, listServiceKeys } from '@tidegate/domain/admin';
import { done, type Row } from '../line/answer.ts';
import { type AdminCommand, defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { findMerchant, noMerchant } from '../line/lookups.ts';
import { merchantNo } from '../line/readers.ts';
import { plainRow, timeText } from '../line/views.ts';

interface MerchantList<Record extends object> {
  name: string;
  summary: string;
  read(domain: Domain, merchantId: string): Promise<readonly Record[]>;
  show(record: Record): Row;
}

/** A command that lists one merchant's keys, fees or routes. */
function listOfMerchant<Record extends object>({ name, summary, read, show }: MerchantList<Record>): AdminCommand {
  return defineCommand({
    name,
    summary,
    group: 'Merchants',
    kind: 'read',
    roles: null,
    respectsRestrictions: true,
    fields: { merchant: argument('<merchant>', 'its merchant number', merchantNo) },
    async run({ domain, operator }, { merchant }) {
      if (!(await findMerchant(domain, operator, merchant))) return noMerchant(merchant);
      const records = await read(domain, merchant);
      return done(`Merchant ${merchant}: ${records.length}`, records.map(show));
    },
  });
}

export const listKeys = listOfMerchant({
  name: 'list-keys',
  summary: "list a merchant's public keys, also expired ones",
  read: listMerchantKeys,
  show: (key) => ({
    ...key,
    createdAt: timeText(key.createdAt),
    endsAt: timeText(key.endsAt),
    lastUsedAt: timeText(key.lastUsedAt),
  }),
});

export const listServiceKeysCommand = listOfMerchant({
  name: 'list-service-keys',
  summary:
    "list the keys that sign a merchant's notifications, the current one first. The others are published until their end",
  read: (domain, merchantId) => listServiceKeys(domain, [merchantId]),
  show: ({ createdAt, ...key }) => ({ ...plainRow(key), createdAt: timeText(createdAt) }),
});

export const listFees = listOfMerchant({
  name: 'list-fees',
  summary: "list a merchant's fee rules: those in force, and those that begin later",
  read: listFeeRules,
  show: ({ from, ...rule }) => ({ ...rule, from: timeText(from) }),
});

export const listRoutesCommand = listOfMerchant({
  name: 'list-routes',
  summary: "list a merchant's routes, and whether each has a fee. Orders without a fee are refused",
  read: listRoutes,
  show: (route) => ({ ...route }),
});
