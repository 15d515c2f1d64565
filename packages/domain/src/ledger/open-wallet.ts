import type { EntityManager } from '@mikro-orm/postgresql';
import { WalletRow } from '../database/entities/ledger.ts';

/** Adds the empty wallet of a new merchant to a unit of work; the next flush writes both. */
export function openWallet(em: EntityManager, merchantId: string, currency: string): void {
  em.persist(em.create(WalletRow, { merchant: merchantId, currency }));
}
