import * as z from 'zod';
import { readTextColumn } from '../boundary/read-column.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { VaultAccess } from '../database/vault.ts';
import { inputFields } from './input-schemas.ts';
import type { AnyOperation } from './operation.ts';
import { secretsOfApprovalSql } from './queries.ts';

/**
 * The input of a requested operation, as stored until a decision. `input` has only the names of secrets. `secrets` has
 * their sealed values; null if there are none.
 */
export interface KeptInput {
  input: { [name: string]: unknown };
  secrets: Buffer | null;
}

/** Separates the secrets from an input and seals them. Stores nothing. */
export function keepInput(
  { vault }: VaultAccess,
  operation: Pick<AnyOperation, 'input'>,
  approvalId: string,
  values: object,
): KeptInput {
  const input: { [name: string]: unknown } = { ...values };
  const secrets: { [name: string]: unknown } = {};
  for (const { name, form } of inputFields(operation.input)) {
    if (form !== 'secrets' || input[name] === undefined) continue;
    secrets[name] = input[name];
    input[name] = Object.keys(input[name] as object);
  }
  const isNone = Object.keys(secrets).length === 0;
  return { input, secrets: isNone ? null : vault.seal('approval', approvalId, JSON.stringify(secrets)) };
}

/** The original input; null if its secrets cannot be opened any more, for example after their key was dropped. */
export async function openInput(
  { database, vault }: DatabaseAccess & VaultAccess,
  operation: Pick<AnyOperation, 'input'>,
  { approvalId, input }: { approvalId: string; input: object },
): Promise<object | null> {
  if (!inputFields(operation.input).some(({ form }) => form === 'secrets')) return input;
  const { rows } = await database.pool.query<{ secrets: Buffer | null }>(secretsOfApprovalSql, [approvalId]);
  const sealed = rows[0]?.secrets ?? null;
  if (sealed === null) return input;
  const secrets = openSecrets(vault, approvalId, sealed);
  return secrets && { ...input, ...secrets };
}

/** The secrets of an approval by the names of their fields; null if they cannot be opened any more. */
export function openSecrets(vault: VaultAccess['vault'], approvalId: string, sealed: Buffer): object | null {
  try {
    return readTextColumn('approval.secrets', vault.open('approval', approvalId, sealed), z.looseObject({}));
  } catch {
    return null;
  }
}
