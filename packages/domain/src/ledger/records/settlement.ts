import { namedSettlement } from '../../core/commands.ts';
import type { Currency } from '../../core/country.ts';
import { signedSum } from '../../core/money.ts';
import { isCreditSince, type Settlement } from '../../core/settlement.ts';
import { SettlementRow } from '../../database/entities/settlement.ts';
import { type ColumnsOf, selectList, upsert } from './queries.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

/** A settlement, and what came into its wallet after the entries that its approval has summed up. */
export interface KnownSettlement {
  readonly settlement: Settlement;
  /** Decimal text; null: too many entries to read under the lock. */
  readonly creditedSince: string | null;
  readonly isFileOut: boolean;
}

/** How many entries of one wallet are read under its lock, at most. */
const maxCredits = 10_000;

function queries(columns: ColumnsOf) {
  const all = columns(SettlementRow);
  return {
    /** For the approval of a draft: what came into the wallet since $3, null if too many entries did. */
    settlementsBySeq: {
      name: 'settlements-by-seq',
      text: `select ${selectList(all)}, case when t.state <> 'draft' or k.after is null then '0.00' else (
        select case when w.last_entry_no - k.after <= ${maxCredits} then (
          select coalesce(sum(e.available_change), 0.00)::text from wallet_entry e where e.merchant_id = t.merchant_id
            and e.entry_no > k.after and e.available_change > 0 and e.type <> 'PAYOUT_RELEASE') end
        from wallet w where w.merchant_id = t.merchant_id) end as "creditedSince",
        t.file_no is not null and exists (select from settlement_file f where f.file_no = t.file_no and f.downloaded_at is not null) as "isFileOut"
      from settlement t join unnest($1::text[], $2::bigint[], $3::bigint[]) as k(m, n, after) on t.merchant_id = k.m and t.seq = k.n`,
    },
    writeSettlements: upsert('settlement', all),
  };
}

type Named = NonNullable<ReturnType<typeof namedSettlement>>;

/**
 * Each settlement once. Of two approvals the one that has summed up fewer entries counts. Counting credits twice only
 * leads to a refusal, but missing one would pay too much.
 */
function eachOnce(named: readonly Named[]): Named[] {
  return [...Map.groupBy(named, (ref) => key(ref.merchantId, ref.seq)).values()].flatMap((same) => {
    const [first] = same;
    const after = same.map((ref) => ref.after).filter((one) => one !== null);
    return first ? [{ ...first, after: after.length > 0 ? Math.min(...after) : null }] : [];
  });
}

const none = { settlement: null, creditedSince: '0.00', isFileOut: false };

/** Settlements of merchants. */
export const settlements = {
  queries,
  async load({ client, sql }, commands) {
    const refs = eachOnce(commands.map(namedSettlement).filter((found) => found !== null));
    const keys = [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.seq), refs.map(({ after }) => after)];
    const found = await readByKeys<Settlement & Omit<KnownSettlement, 'settlement'>>(
      client,
      sql.settlementsBySeq,
      keys,
    );
    return new Map(
      found.map(({ creditedSince, isFileOut, ...settlement }) => [
        key(settlement.merchantId, settlement.seq),
        { settlement, creditedSince, isFileOut },
      ]),
    );
  },
  state(known, command) {
    const named = namedSettlement(command);
    return (named && known.get(key(named.merchantId, named.seq))) ?? none;
  },
  keep(known, _, { state: { settlement }, events }) {
    // Credits of this batch came after the drafts of the wallet.
    if (known.size > 0)
      for (const event of events)
        if (event.type === 'entry made' && isCreditSince(event.entry)) addCredit(known, event.entry);
    if (!settlement) return;
    const at = key(settlement.merchantId, settlement.seq);
    const { creditedSince = null, isFileOut = false } = known.get(at) ?? {};
    known.set(at, { settlement, creditedSince, isFileOut });
  },
  changed: { by: { 'settlement written': ({ settlement }) => settlement }, noOf: (row) => (row as Settlement).seq },
} satisfies LedgerRecord<KnownSettlement, ReturnType<typeof queries>>;

function addCredit(
  known: Map<string, KnownSettlement>,
  { merchantId, availableChange }: { merchantId: string; availableChange: string },
): void {
  for (const [at, one] of known) {
    const { settlement, creditedSince } = one;
    if (settlement.merchantId !== merchantId) continue;
    const sum = creditedSince && signedSum(settlement.currency as Currency, creditedSince, availableChange);
    known.set(at, { ...one, creditedSince: sum });
  }
}
