import { randomUUID } from 'node:crypto';
import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import type { Outcome, Refused } from '../core/rejection.ts';
import { type ChangeAccess, changeConfiguration } from '../ledger/index.ts';
import { personalParts } from '../orders/index.ts';
import { exportInput, kindOf } from './export-input.ts';
import { loadExports } from './list-exports.ts';
import { pinInput } from './pin-input.ts';
import { holdRequestsSql, insertExportSql, keptOfOperatorSql } from './queries.ts';
import { type DataExport, type Exported, type ExportKind, exportLimits, exportRoles } from './types.ts';

/**
 * Requests an export, which a worker writes. Each kind has its roles, and the operator's restriction limits the rows. An operator has at most three
 * open ones. Refusals: invalid_input, forbidden, merchant_not_found, channel_not_found, too_many_exports.
 */
export async function requestExport(
  domain: ChangeAccess,
  operator: OperatorContext,
  input: unknown,
  reason = 'an export',
): Promise<Outcome<DataExport>> {
  const read = exportInput.safeParse(input);
  if (!read.success) {
    const fields = read.error.issues.map(({ path, message }) => ({
      path: path.map(String).join('.') || 'input',
      reason: message,
    }));
    return { ok: false, rejection: 'invalid_input', fields };
  }
  const { format } = read.data;
  const problem = problemOfExporter(operator, kindOf(read.data));
  if (problem) return problem;
  const pinned = await pinInput(domain, operator, read.data);
  if (!pinned.ok) return pinned;
  const { exported, tenant, name: beginning } = pinned.value;
  const exportId = randomUUID();
  const name = `${beginning}-${exportId.slice(0, 4)}.${format}`;
  const { operatorId, countries, merchantIds } = operator;
  const by = { actor: operatorId, approver: null, reason };
  const done = await changeConfiguration<null>(
    domain,
    { tenant, change: 'requestExport' },
    by,
    async ({ database }) => {
      await database.pool.query(holdRequestsSql, [operatorId]);
      const { rows } = await database.pool.query<{ open: number; kept: number; bytes: number }>(keptOfOperatorSql, [
        operatorId,
      ]);
      const { open = 0, kept = 0, bytes = 0 } = rows[0] ?? {};
      const limit = limitReached({ open, kept, bytes });
      if (limit !== null) return { ok: false, rejection: 'too_many_exports', detail: limit };
      const values = [exportId, exported.kind, format, tenant, operatorId, countries, merchantIds];
      await database.pool.query(insertExportSql, [...values, JSON.stringify(exported.input), name]);
      const after = { exportId, kind: exported.kind, format, ...recordedInput(exported) };
      return { ok: true, value: { subject: `export ${exportId}`, after, value: null } };
    },
  );
  if (!done.ok) return done;
  const [value] = await loadExports(domain, operator, [exportId]);
  if (!value) throw new Error(`export ${exportId} no longer exists`);
  return { ok: true, value };
}

/** Why an operator's roles do not let them export this; null if they do. */
export function problemOfExporter(
  operator: Pick<OperatorContext, 'operatorId' | 'roles'>,
  kind: ExportKind,
): Refused | null {
  const roles = exportRoles[kind];
  if (hasRole(operator, roles)) return null;
  return { ok: false, rejection: 'forbidden', detail: `${operator.operatorId} lacks the role ${roles.join(' or ')}` };
}

function limitReached({ open, kept, bytes }: { open: number; kept: number; bytes: number }): string | null {
  if (open >= exportLimits.open) return `${exportLimits.open} are open`;
  if (kept >= exportLimits.kept) return `${exportLimits.kept} are kept for ${exportLimits.days} days`;
  return bytes >= exportLimits.keptBytes ? `your files have ${exportLimits.keptBytes / 1024 ** 3} GiB together` : null;
}

/** Audit records are permanent. So for a filter that may name a person the record only says that it was set. */
function recordedInput({ kind, input }: Exported): object {
  if (kind === 'orders') {
    const hidden: readonly string[] = [...personalParts, 'search'];
    const parts = Object.entries(input).filter(([, value]) => value != null);
    return Object.fromEntries(parts.map(([part, value]) => [part, hidden.includes(part) ? '(not recorded)' : value]));
  }
  if (kind === 'audit_records') return { ...input, ...(input.text != null && { text: '(not recorded)' }) };
  if (kind !== 'wallet_statement') return input;
  const { merchantId, firstDay, lastDay, timeZone } = input;
  return { merchantId, firstDay, lastDay, timeZone };
}
