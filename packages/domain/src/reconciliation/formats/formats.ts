import type { StatementFormat } from '../statement.ts';
import type { StatementAccess } from '../statement-access.ts';
import { findCsvProfile, listCsvProfiles } from './csv-profiles.ts';
import { csvReader, formatOfProfile, nameOfProfile, profileVersionOf, type Queries } from './profile-format.ts';

/** The formats of this process, and the profiles of the database. */
export interface FormatAccess extends StatementAccess {
  database: { pool: Queries };
}

/**
 * The format of this name; null if there is none. Stored profiles are formats too. `received`: the version of the format with which a file was
 * received. Such a file is read by the profile of that time.
 */
export async function findFormat(
  access: FormatAccess,
  name: string,
  received: number | null = null,
): Promise<StatementFormat | null> {
  const { statementFormats } = access;
  if (name === csvReader) return null;
  if (Object.hasOwn(statementFormats, name)) return statementFormats[name] ?? null;
  const csv = statementFormats[csvReader];
  if (!csv || !name.startsWith(`${csvReader}:`)) return null;
  const profile = name.slice(csvReader.length + 1);
  const found = await findCsvProfile(access, profile, profileVersionOf(name, received));
  return found && formatOfProfile(csv, found.profile);
}

/** All formats in which a file can be imported, by name. */
export async function listFormats(access: FormatAccess): Promise<StatementFormat[]> {
  const { statementFormats } = access;
  const csv = statementFormats[csvReader];
  const builtIn = Object.entries(statementFormats).filter(([name]) => name !== csvReader);
  const stored = csv ? await listCsvProfiles(access) : [];
  return [
    ...builtIn.map(([name, format]) => ({ ...format, name })),
    // A later release may have a built-in profile of the same name, which is the one that counts.
    ...stored.flatMap(({ profile }) => {
      const isBuiltIn = Object.hasOwn(statementFormats, nameOfProfile(profile.name));
      return csv && !isBuiltIn ? [formatOfProfile(csv, profile)] : [];
    }),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Formats that a file can have, judged by its first bytes. */
export async function proposeFormats(access: FormatAccess, start: Uint8Array): Promise<string[]> {
  const formats = await listFormats(access);
  return formats.filter(({ recognises }) => recognises(start)).map(({ name }) => name);
}
