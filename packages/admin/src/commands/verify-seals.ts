import { type SealsReport, verifyAllSeals } from '@tidegate/domain/admin';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { optional, text } from '../line/fields.ts';
import { unusableFolder } from './unusable-folder.ts';

/** A small database is finished before the first line of progress. */
const printEveryMs = 5_000;

export const verifySeals = defineCommand({
  name: 'verify-seals',
  group: 'Checks',
  summary:
    'compare the seals of past months with the rows of the ledger, their signatures and their files. Exit code 1 if one is broken',
  kind: 'read',
  roles: null,
  fields: {
    merchant: optional('--merchant <merchant>', 'only the seals of this merchant', text),
    files: optional('--files <folder>', "the folder with the seals' files, AUDIT_SEAL_DIR of the worker", text),
  },
  async run({ domain, print }, { merchant, files }) {
    let printedAt = performance.now();
    const reported = (checked: Pick<SealsReport, 'seals' | 'rows'>): void => {
      if (performance.now() - printedAt < printEveryMs) return;
      printedAt = performance.now();
      print(`verified: ${checked.seals} seals with ${checked.rows} rows …`);
    };
    let report: SealsReport;
    try {
      report = await verifyAllSeals(domain, { merchantId: merchant ?? null, dir: files }, reported);
    } catch (error) {
      return unusableFolder(files ?? '', error);
    }
    const { violations, seals, rows } = report;
    const result = { checked: { seals, rows }, violations: violations.map((one) => ({ ...one })) };
    if (violations.length === 0) return done('All seals are genuine.', result);
    return { ok: true, message: `Violations: ${violations.length}`, result, ended: 'violated' };
  },
});
