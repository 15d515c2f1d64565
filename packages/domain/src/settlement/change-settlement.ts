import type { Currency } from '../core/country.ts';
import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import {
  type Credited,
  returnNoOf,
  type Settlement,
  type SettlementCommand,
  type SettlementState,
} from '../core/settlement.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { LedgerAccess } from '../ledger/index.ts';
import { type HeldCredit, heldOf } from './decide-draft.ts';
import { creditedSql, heldSql, openAgainSql, settlementSql } from './queries.ts';

export interface SettlementRef {
  merchantId: string;
  settlementNo: string;
}

type Found = Settlement & { accountNow: string | null };

/** The settlement as it is now; null: there is none of this number. */
export async function findSettlement({ database }: DatabaseAccess, ref: SettlementRef): Promise<Found | null> {
  const { rows } = await database.pool.query<Found>(settlementSql(database.orm), [ref.merchantId, ref.settlementNo]);
  return rows[0] ?? null;
}

/**
 * Takes the amount of a draft out of the wallet. `seen`: version of the draft. Two operators have to agree. Refusals:
 * settlement_not_found, settlement_not_there, nothing_to_settle, no_bank_account, version_outdated if the draft, the
 * bank account or the wallet is another one by now, second_operator_needed.
 */
export async function approveSettlement(
  domain: LedgerAccess,
  ref: SettlementRef,
  seen: { version?: number | undefined; amount?: string | undefined },
  by: Decision,
): Promise<Outcome<Settlement>> {
  const { rows } = await domain.database.pool.query<{ channelId: string; day: string }>(openAgainSql, [
    ref.merchantId,
    ref.settlementNo,
  ]);
  const [open] = rows;
  if (open)
    return { ok: false, rejection: 'version_outdated', detail: `${open.day} of ${open.channelId} is open again` };
  return commit(
    domain,
    ref,
    async ({ seq, version, amount, currency, accountNow, throughEntryNo, held, settledEntries }) => {
      const now = await domain.database.pool.query<HeldCredit & object>(heldSql, [ref.merchantId]);
      // Money turned out to be missing since the draft.
      const isHeld = heldOf(now.rows, settledEntries, currency as Currency) === held;
      const isSeen = (seen.amount ?? amount) === amount;
      const { settlementNo } = ref;
      const named = { type: 'approveSettlement', ...ref, seq, by } as const;
      const credited = await domain.database.pool.query<Credited>(creditedSql, [ref.merchantId, throughEntryNo]);
      return {
        ...named,
        version: isSeen && isHeld ? (seen.version ?? version) : -1,
        accountId: accountNow,
        credited: credited.rows[0] ?? { amount: '0.00', throughEntryNo },
        bookingNo: settlementNo,
      };
    },
  );
}

/**
 * Claims the payment for the operator who transfers it, or for a bank file. It works once, so that it is transferred
 * once. Refusals: settlement_not_found, settlement_not_there.
 */
export function paySettlement(
  domain: LedgerAccess,
  ref: SettlementRef,
  reference: string,
  by: Decision,
  fileNo?: string,
): Promise<Outcome<Settlement>> {
  const file = fileNo === undefined ? {} : { fileNo };
  return commit(domain, ref, ({ seq }) => ({ type: 'paySettlement', ...ref, seq, reference, ...file, by }));
}

/**
 * Records that the bank shows the payment. Two operators have to agree. Refusals: settlement_not_found,
 * settlement_not_there, second_operator_needed, settlement_partly_paid if the channel reported other payments of it.
 */
export function confirmSettlement(
  domain: LedgerAccess,
  ref: SettlementRef,
  reference: string,
  by: Decision,
): Promise<Outcome<Settlement>> {
  return commit(domain, ref, ({ seq, paymentNo }) => ({
    type: 'confirmSettlement',
    ...ref,
    seq,
    reference,
    ...(paymentNo !== null && { paymentNo }),
    by,
  }));
}

/**
 * Brings the amount back to the wallet, with a case. Two operators have to agree. `seen`: its state when they did.
 * `evidence`: what the bank says or shows about it. Refusals: settlement_not_found, settlement_not_there,
 * second_operator_needed, version_outdated if it was paid or confirmed since, bank_word_needed without evidence once its
 * bank file was downloaded.
 */
export function failSettlement(
  domain: LedgerAccess,
  ref: SettlementRef,
  { detail, evidence, seen }: { detail: string; evidence?: string | undefined; seen?: SettlementState | undefined },
  by: Decision,
): Promise<Outcome<Settlement>> {
  const bookingNo = returnNoOf(ref.settlementNo);
  return commit(domain, ref, ({ seq, state }) => ({
    type: 'failSettlement',
    ...ref,
    seq,
    seen: seen ?? state,
    detail,
    ...(evidence !== undefined && { evidence }),
    bookingNo,
    by,
  }));
}

async function commit(
  domain: LedgerAccess,
  ref: SettlementRef,
  commandFor: (found: Found) => SettlementCommand | Promise<SettlementCommand>,
): Promise<Outcome<Settlement>> {
  const found = await findSettlement(domain, ref);
  if (!found) return { ok: false, rejection: 'settlement_not_found' };
  const done = await domain.commit(await commandFor(found));
  if (!done.ok) return done;
  return { ok: true, value: (await findSettlement(domain, ref)) ?? found };
}
