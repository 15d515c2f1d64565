import type { QueryResult, QueryResultRow } from 'pg';
import type { CsvProfile, StatementFormat } from '../statement.ts';

export interface Queries {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>>;
}

/** Reads a CSV with the profile in its options. It is not a format that a file can be imported in. */
export const csvReader = 'csv';

/** The highest version of a profile. The version of a format that reads a CSV is made of that of our code and that of the profile. */
export const versionsOfProfile = 999;

/** The name of the format that reads a CSV by a profile. */
export function nameOfProfile(profile: string): string {
  return `${csvReader}:${profile}`;
}

/** The format of a CSV profile. A change of our code or of the profile can change the result of reading. */
export function formatOfProfile(csv: StatementFormat, profile: CsvProfile): StatementFormat {
  return {
    name: nameOfProfile(profile.name),
    version: csv.version * (versionsOfProfile + 1) + profile.version,
    recognises: (start) => csv.recognises(start, profile),
    read: (bytes, options) => csv.read(bytes, { ...options, profile }),
  };
}

/** The version of the profile with which a file was received; null: its format has no profile. */
export function profileVersionOf(format: string | null, formatVersion: number | null): number | null {
  const isCsv = format?.startsWith(`${csvReader}:`) === true;
  return isCsv && formatVersion !== null ? formatVersion % (versionsOfProfile + 1) : null;
}
