import type { WalletTransaction, WalletTransactions } from './interface.generated.ts';

export type WalletTransactionType = WalletTransaction['type'];

/** A page of the wallet's transactions, newest first. */
export type WalletPage = WalletTransactions;

export interface PageRequest {
  /** From 1; default 1. */
  page?: number | undefined;
  /** 1 to 100; default 20. */
  pageSize?: number | undefined;
}
