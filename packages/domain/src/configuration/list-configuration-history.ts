import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { readTextColumn } from '../boundary/read-column.ts';
import { type FieldChange, fieldChanges } from '../core/configuration-actions.ts';
import type { AuditRecord } from '../core/operator.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { AuditRecordRow } from '../database/entities/access.ts';
import { platformTenant } from '../ledger/index.ts';
import { largestPage, type Page, type PageRequest, readPageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope, unrestricted } from '../lists/scope.ts';

/** A change of a merchant's configuration, or of the platform's. */
export interface ConfigurationVersion extends Omit<AuditRecord, 'detail' | 'hash' | 'commandId'> {
  /** Numbered 1, 2, 3 … per merchant, without gaps. */
  versionNo: number;
  /** The approval that it consumed; null if it needed none. */
  approvalId: string | null;
  changes: FieldChange[];
}

type Row = Omit<ConfigurationVersion, 'approvalId' | 'changes'> & { detail: string };

const unread = ['hash', 'commandId'];

/**
 * The changes of a tenant's configuration, the newest first: who, when, why and what. Empty for a tenant out of scope.
 */
export async function pageConfigurationHistory(
  { database }: { database: Pick<Database, 'orm' | 'reading'> },
  scope: Scope,
  tenant: string,
  page: PageRequest<'configuration_history'>,
): Promise<Page<ConfigurationVersion>> {
  const found = await readPage<Row, 'configuration_history'>(
    database.reading,
    {
      table:
        '(select v.version_no, a.* from configuration_version v join audit_record a using (merchant_id, audit_no))',
      columns: `t.version_no::float8 as "versionNo", ${columnsOf(database.orm, AuditRecordRow, unread)}`,
      merchants: merchantsToLookUp([tenant], scope),
      indexConditions: () => [],
      rowConditions: (add) => ofMerchants([tenant], scope, add),
    },
    page,
  );
  return { ...found, rows: found.rows.map(toVersion) };
}

const fieldsOf = z.record(boundedText(200), z.unknown()).nullish();
const changeDetail = z.object({ approvalId: boundedText(100).optional(), before: fieldsOf, after: fieldsOf });

function toVersion({ detail, ...row }: Row): ConfigurationVersion {
  const { approvalId = null, ...fields } = readTextColumn('audit_record.detail', detail, changeDetail);
  const changes = fieldChanges(fields);
  const isShown = ({ field }: FieldChange): boolean => row.merchantId !== platformTenant || !ofPersons.has(field);
  return { ...row, approvalId, changes: changes.filter(isShown) };
}

/** Personal data and identities of operators. They are in the audit log, for those who may see it. */
const ofPersons: ReadonlySet<string> = new Set([
  'name',
  'externalId',
  'issuer',
  'subject',
  'fingerprint',
  'invitationId',
]);

/** A tenant's changes of configuration, the newest first, at most `limit` (up to 1,000). For the command line. */
export async function listConfigurationHistory(
  domain: { database: Pick<Database, 'orm' | 'reading'> },
  tenant: string,
  limit: number,
): Promise<ConfigurationVersion[]> {
  const versions: ConfigurationVersion[] = [];
  let after: string | null = null;
  do {
    const read = readPageRequest('configuration_history', {
      first: Math.min(limit - versions.length, largestPage),
      after,
    });
    if (!read.ok) throw new RangeError(`${read.problem.path} ${read.problem.reason}`);
    const page: Page<ConfigurationVersion> = await pageConfigurationHistory(domain, unrestricted, tenant, read.page);
    versions.push(...page.rows);
    after = page.hasNextPage ? (page.cursors.at(-1) ?? null) : null;
  } while (after !== null && versions.length < limit);
  return versions;
}
