import type { WalletTransaction, WalletTransactions } from './interface.generated.ts';

export type WalletTransactionType = WalletTransaction['type'];

/** A page of transactions, newest first. */
export type WalletPage = WalletTransactions;

export interface PageRequest {
  /** From 1; 1 if left out. */
  page?: number | undefined;
  /** 1 to 100; 20 if left out. */
  pageSize?: number | undefined;
}
