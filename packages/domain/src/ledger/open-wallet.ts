import type { EntityManager } from '@mikro-orm/postgresql';
import { WalletRow } from '../database/entities/ledger.ts';
import { databaseNow } from '../database/unit-of-work.ts';

/**
 * Adds the empty wallet of a new merchant to a unit of work; the next flush writes both. Nothing of the merchant is
 * recorded before the time of its wallet, so it is that of the session's clock, as in other rows.
 */
export async function openWallet(em: EntityManager, merchantId: string, currency: string): Promise<void> {
  em.persist(em.create(WalletRow, { merchant: merchantId, currency, updatedAt: await databaseNow(em) }));
}
