import { audit } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';

/** A small database is finished before the first line of progress. */
const printEveryMs = 5_000;

export const auditCommand = defineCommand({
  name: 'audit',
  group: 'Checks',
  summary: 'check all rules of orders and money on the whole database. Exit code 1 if one is broken',
  kind: 'read',
  roles: null,
  fields: {},
  async run({ domain, print }) {
    let printedAt = performance.now();
    const { violations, checked } = await audit(domain, ({ orders, wallets, entries, transfers }) => {
      if (performance.now() - printedAt < printEveryMs) return;
      printedAt = performance.now();
      print(`checked: ${orders} orders, then ${wallets} wallets with ${entries} entries and ${transfers} transfers …`);
    });
    const result = { checked: { ...checked }, violations: violations.map((one) => ({ ...one })) };
    if (violations.length === 0) return done('All is well.', result);
    return { ok: true, message: `Violations: ${violations.length}`, result, ended: 'violated' };
  },
});
