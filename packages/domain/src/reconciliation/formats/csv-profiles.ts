import { UnreadableColumn } from '../../boundary/read-column.ts';
import type { Decision } from '../../core/operator.ts';
import type { Outcome } from '../../core/rejection.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { type ChangeAccess, changeConfiguration, platformTenant } from '../../ledger/index.ts';
import type { CsvProfile } from '../statement.ts';
import type { StatementAccess } from '../statement-access.ts';
import { fieldsOf, type ProfileFields, settingsOf } from './profile-fields.ts';
import { nameOfProfile, type Queries, versionsOfProfile } from './profile-format.ts';
import { addProfileSql, countProfilesSql, newestProfilesSql, profileSql, versionsSql } from './queries.ts';

/** How many profiles there can be. Each upload is compared with all of them. */
const maxProfiles = 200;

/** A version of a profile, with who set it. */
export interface StoredProfile {
  profile: CsvProfile;
  createdBy: string;
  /** The second operator. */
  approvedBy: string | null;
  /** Unix milliseconds. */
  createdAt: number;
}

interface ProfileRow extends Omit<StoredProfile, 'profile'> {
  name: string;
  version: number;
  profile: ProfileFields;
}

/** A version is stored field by field, as it is recorded. */
function readRow({ name, version, profile, ...who }: ProfileRow): StoredProfile {
  const settings = settingsOf(profile);
  if (Array.isArray(settings))
    throw new UnreadableColumn('csv_profile.profile', 'wrong_shape', settings[0]?.path ?? '');
  return { profile: { ...settings, name, version }, ...who };
}

/** A version of a profile; null for `version`: the newest one. Null: there is none. */
export async function findCsvProfile(
  { database: { pool } }: { database: { pool: Queries } },
  name: string,
  version: number | null = null,
): Promise<StoredProfile | null> {
  const { rows } = await pool.query<ProfileRow>(profileSql, [name, version]);
  return rows[0] ? readRow(rows[0]) : null;
}

/** The number of the newest version of a profile; 0: there is none. */
export async function newestVersion(access: { database: { pool: Queries } }, name: string): Promise<number> {
  return (await findCsvProfile(access, name))?.profile.version ?? 0;
}

/** The newest version of each stored profile, by name. */
export async function listCsvProfiles({
  database: { pool },
}: {
  database: { pool: Queries };
}): Promise<StoredProfile[]> {
  const { rows } = await pool.query<ProfileRow>(newestProfilesSql, [maxProfiles]);
  return rows.map(readRow);
}

/** All versions of a profile, the newest first. */
export async function listCsvProfileVersions({ database }: DatabaseAccess, name: string): Promise<StoredProfile[]> {
  const { rows } = await database.pool.query<ProfileRow & object>(versionsSql, [name]);
  return rows.map(readRow);
}

/**
 * Stores a new version of a profile. Files that were received keep theirs. `basedOn`: the version that the operators saw, 0 for a new profile.
 * Refusals: invalid_input; version_outdated.
 */
export function setCsvProfile(
  domain: ChangeAccess & StatementAccess,
  { basedOn, ...fields }: ProfileFields & { basedOn?: number | undefined },
  by: Decision,
): Promise<Outcome<StoredProfile>> {
  return changeConfiguration(domain, { tenant: platformTenant, change: 'setCsvProfile' }, by, async (within) => {
    const settings = settingsOf(fields);
    if (Array.isArray(settings)) return { ok: false, rejection: 'invalid_input', fields: settings };
    const { pool } = within.database;
    const { name } = settings;
    if (Object.hasOwn(domain.statementFormats, nameOfProfile(name)))
      return invalidName('is the name of a built-in profile');
    const newest = await findCsvProfile(within, name);
    const seen = newest?.profile.version ?? 0;
    if (basedOn !== undefined && basedOn !== seen)
      return { ok: false, rejection: 'version_outdated', detail: `its version is now ${seen}` };
    if (seen >= versionsOfProfile) return invalidName(`has ${versionsOfProfile} versions: use another name`);
    const counted = newest ? null : await pool.query<{ count: number }>(countProfilesSql);
    if ((counted?.rows[0]?.count ?? 0) >= maxProfiles) return invalidName(`is one too many: ${maxProfiles} are stored`);
    const version = seen + 1;
    const values = [name, version, JSON.stringify(fieldsOf(settings)), by.actor, by.approver];
    const added = await pool.query<ProfileRow & object>(addProfileSql, values);
    const [row] = added.rows;
    if (!row) throw new Error('a profile was not stored');
    const value = readRow(row);
    const before = newest && { version: seen, ...fieldsOf(newest.profile) };
    const after = { version, ...fieldsOf(value.profile) };
    return { ok: true, value: { subject: nameOfProfile(name), before, after: { ...noneOf(before), ...after }, value } };
  });
}

/** Fields that only the version before has end: they are recorded as removed. */
function noneOf(before: object | null): object {
  return Object.fromEntries(Object.keys(before ?? {}).map((field) => [field, null]));
}

function invalidName(reason: string): Outcome<never> {
  return { ok: false, rejection: 'invalid_input', fields: [{ path: 'name', reason }] };
}
