import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { inputFields } from './input-schemas.ts';
import type { AnyOperation } from './operation.ts';
import { secretsOfApprovalSql } from './statements.ts';

/**
 * The input of a requested operation, as stored until a decision. It has only the names of secrets. Their values are
 * sealed separately.
 */
export interface KeptInput {
  input: { [name: string]: unknown };
  secrets: Buffer | null;
}

const place = (approvalId: string): string => `approval ${approvalId}`;

export function keepInput(
  { vault }: VaultAccess,
  operation: Pick<AnyOperation, 'input'>,
  approvalId: string,
  given: object,
): KeptInput {
  const input: { [name: string]: unknown } = { ...given };
  const secrets: { [name: string]: unknown } = {};
  for (const { name, form } of inputFields(operation.input)) {
    if (form !== 'secrets' || input[name] === undefined) continue;
    secrets[name] = input[name];
    input[name] = Object.keys(input[name] as object);
  }
  const isNone = Object.keys(secrets).length === 0;
  return { input, secrets: isNone ? null : vault.seal(JSON.stringify(secrets), place(approvalId)) };
}

/** The original input; null if its secrets cannot be opened any more, for example after TIDEGATE_SECRET changed. */
export async function openInput(
  { database, vault }: DatabaseAccess & VaultAccess,
  operation: Pick<AnyOperation, 'input'>,
  { approvalId, input }: { approvalId: string; input: object },
): Promise<object | null> {
  if (!inputFields(operation.input).some(({ form }) => form === 'secrets')) return input;
  const { rows } = await database.pool.query<{ secrets: Buffer | null }>(secretsOfApprovalSql, [approvalId]);
  const sealed = rows[0]?.secrets ?? null;
  if (sealed === null) return input;
  try {
    return { ...input, ...(JSON.parse(vault.open(sealed, place(approvalId))) as object) };
  } catch {
    return null;
  }
}
