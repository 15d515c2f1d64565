import { type StatementFormat, StatementUnreadable } from '@tidegate/domain/reconciliation';
import type { Limits } from '../reading/limits.ts';
import { csvRows } from './csv-rows.ts';
import { hasHeader } from './recognise-header.ts';

/** Any CSV, as the profile in the options describes it (docs/operators/csv-profiles.md). */
export function csv(limits: Limits): StatementFormat {
  return {
    name: 'csv',
    version: 5,
    recognises: (start, profile) => profile !== undefined && hasHeader(start, profile),
    async *read(bytes, options) {
      const { profile } = options;
      if (profile === undefined) throw new StatementUnreadable('other_format', 'a CSV needs a profile');
      yield* csvRows(bytes, { ...options, profile }, limits);
    },
  };
}
