import { randomBytes, randomInt } from 'node:crypto';
import type { FakeServer, Fate, Store } from '../../fake-provider/index.ts';

export type ChargeStatus = 'pending' | 'successful' | 'failed' | 'expired' | 'reversed';

export interface StoredRefund {
  id: string;
  amount: number;
  status: 'pending' | 'closed';
  metadata: Record<string, unknown>;
  createdAt: number;
}

export interface StoredCharge {
  id: string;
  /** Satang. */
  amount: number;
  description: string | null;
  metadata: Record<string, unknown>;
  status: ChargeStatus;
  failureCode: string | null;
  fate: Fate;
  sourceId: string;
  documentId: string;
  downloadToken: string;
  /** Unix milliseconds. */
  createdAt: number;
  expiresAt: number;
  expiredAt: number | null;
  paidAt: number | null;
  refunds: StoredRefund[];
}

export interface OpnAccountSecrets {
  secretKey: string;
  publicKey: string;
  webhookSecret: string;
  accountId: string;
}

/** What controls change. It ends with the process. */
export interface FakeControls {
  /** The secret before the last change of it. Webhooks are signed with both. */
  previousSecret: string | null;
  /** Younger charges are not found by searches. */
  searchLagMs: number;
  /** If set, the next create is paid and its webhook is sent at once. It is answered when this promise is fulfilled. */
  answerNextAfter: Promise<void> | null;
  givesQrText: boolean;
}

export interface OpnState {
  server: FakeServer;
  account: OpnAccountSecrets;
  isLive: boolean;
  webhookUrl: string | undefined;
  charges: Store<StoredCharge>;
  /** Amounts of sources that were made apart from their charge. */
  sources: Map<string, number>;
  controls: FakeControls;
}

/** An identifier like Opn's, for example `chrg_test_5sqhgjedme2u2atfhuc`. */
export function newId({ isLive }: Pick<OpnState, 'isLive'>, prefix: string): string {
  const digits = Array.from({ length: 19 }, () => randomInt(36).toString(36)).join('');
  return `${prefix}_${isLive ? '' : 'test_'}${digits}`;
}

/** Keys and secrets of a new account in test mode. */
export function newSecrets(): OpnAccountSecrets {
  const id = (prefix: string) => newId({ isLive: false }, prefix);
  return {
    secretKey: id('skey'),
    publicKey: id('pkey'),
    accountId: id('acct'),
    webhookSecret: randomBytes(32).toString('base64'),
  };
}

/** The newest charge with this description. Throws if there is none. */
export function chargeOf({ charges }: OpnState, description: unknown): StoredCharge {
  const found = charges.all().findLast((charge) => charge.description === description || charge.id === description);
  if (!found) throw new Error('no charge has this description');
  return found;
}
