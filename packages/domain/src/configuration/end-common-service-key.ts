import { ServiceKey } from '../database/entities/access.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Sets the end of the common key (Unix ms; null: now), by the database's clock. Until then it signs for merchants that
 * do not use their own key yet, and stays published. The end can be changed until it is reached. Returns the key, or
 * null if there is none any more.
 */
export async function endCommonServiceKey(
  within: ChangeTransaction,
  endsAt: number | null,
): Promise<{ keyId: string; retiresAt: Date } | null> {
  const em = within.database.unitOfWork();
  const now = await databaseNow(em);
  const alive = await em.find(ServiceKey, { $or: [{ retiresAt: null }, { retiresAt: { $gt: now } }] });
  const [signing, ...replaced] = alive.sort(signingFirst);
  if (!signing) return null;
  const retiresAt = new Date(Math.max(endsAt ?? 0, now.getTime()));
  // Keys of earlier rotations are only published, and end no later than before.
  for (const key of replaced) if (key.retiresAt == null || key.retiresAt > retiresAt) key.retiresAt = retiresAt;
  const ended = Object.assign(signing, { retiresAt });
  await em.flush();
  return ended;
}

interface Dated {
  retiresAt?: Date | null | undefined;
  createdAt: Date;
}

function signingFirst(a: Dated, b: Dated): number {
  return Number(a.retiresAt != null) - Number(b.retiresAt != null) || b.createdAt.getTime() - a.createdAt.getTime();
}
