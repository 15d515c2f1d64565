import type { CsvProfile, StatementFormat } from '@tidegate/domain/reconciliation';
import { csvProfiles } from './csv/profiles.ts';
import { findFormat, formats } from './formats.ts';

/**
 * All formats by the name under which a statement is imported. CSV has one name for each profile, such as
 * `csv:jazzcash`.
 */
export const importableFormats: Readonly<Record<string, StatementFormat>> = Object.fromEntries([
  ...formats.filter(({ name }) => name !== 'csv').map((format) => [format.name, format] as const),
  ...csvProfiles.map((profile) => [`csv:${profile.name}`, csvOf(profile)] as const),
]);

function csvOf(profile: CsvProfile): StatementFormat {
  const csv = findFormat('csv');
  if (!csv) throw new Error('there is no format csv');
  return {
    name: `csv:${profile.name}`,
    // A change of either of the two can change the result of reading.
    version: csv.version * 1_000 + profile.version,
    read: (bytes, options) => csv.read(bytes, { ...options, profile }),
  };
}
