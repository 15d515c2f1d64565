import { type StatementFormat, StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../limits.ts';
import { csvRows } from './csv-rows.ts';

/** Any CSV, as the profile in the options describes it (docs/developers/statement-formats.md). */
export function csv(limits: Limits): StatementFormat {
  return {
    name: 'csv',
    version: 3,
    async *read(bytes, options) {
      const { profile } = options;
      if (profile === undefined) throw new StatementUnreadable('other_format', 'a CSV needs a profile');
      yield* csvRows(bytes, { ...options, profile }, limits);
    },
  };
}
