import { formatOfProfile, nameOfProfile, type StatementFormat } from '@tidegate/domain/reconciliation';
import { csvProfiles } from './csv/profiles.ts';
import { findFormat, formats } from './formats.ts';

const csv = findFormat('csv');
if (!csv) throw new Error('there is no format csv');
const reader: StatementFormat = csv;

/**
 * All formats by the name under which a statement is imported. CSV has one name for each built-in profile, such as `csv:jazzcash`. The format `csv`
 * itself reads by the profile in its options: the domain adds the stored profiles with it.
 */
export const importableFormats: Readonly<Record<string, StatementFormat>> = Object.fromEntries([
  ...formats.map((format) => [format.name, format] as const),
  ...csvProfiles.map((profile) => [nameOfProfile(profile.name), formatOfProfile(reader, profile)] as const),
]);
