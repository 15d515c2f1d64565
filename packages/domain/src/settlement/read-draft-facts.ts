import type { PoolClient } from 'pg';
import { type Country, platformMerchantOf } from '../core/country.ts';
import type { Settlement } from '../core/settlement.ts';
import { timeZoneOf } from '../countries/index.ts';
import { beginSnapshot } from '../database/begin.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { shiftDay } from './calendar/decide-days.ts';
import {
  type Basis,
  type ChannelDays,
  type DraftFacts,
  type HeldCredit,
  isContinuable,
  type Movement,
} from './decide-draft.ts';
import { channelDaysSql, draftSql, entrySql, heldSql, lastSettlementSql, movementsSql, walletSql } from './queries.ts';

/** The cycle of a merchant, as a run reads it. */
export interface Cycle {
  merchantId: string;
  tag: string;
  workingDays: number;
  weekdays: string[];
  minimum: string;
  keep: string;
  beginsOn: string;
  accountId: string | null;
}

export interface Due {
  country: Country;
  cycle: Cycle;
  day: string;
  cutOff: string;
}

/** The facts from which a draft is computed. `drafted`: the draft to continue; null: it is computed from the basis. */
export interface FoundFacts {
  seq: number;
  drafted: Settlement | null;
  facts: DraftFacts;
}

interface WalletFacts extends Pick<DraftFacts, 'currency' | 'available' | 'withheld' | 'lastEntryNo' | 'unknownFrom'> {}

type Read = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/** Reads the facts of a draft, all from one moment. Null: the cycle begins later. */
export function readDraftFacts({ database }: DatabaseAccess, due: Due): Promise<FoundFacts | null> {
  const work = (client: PoolClient) => {
    const read: Read = async <Row extends object>(text: string, values: unknown[]) =>
      (await client.query<Row>(text, values)).rows;
    return readFacts(read, due, draftSql(database.orm));
  };
  return inTransaction(database.pool, work, { begin: beginSnapshot });
}

async function readFacts(read: Read, due: Due, draftText: string): Promise<FoundFacts | null> {
  const { country, cycle, day, cutOff } = due;
  const { merchantId, minimum, keep, accountId } = cycle;
  const zone = timeZoneOf[country];
  const [wallet] = await read<WalletFacts>(walletSql, [merchantId, zone]);
  if (!wallet) throw new Error(`merchant ${merchantId} has no wallet`);
  const { seq, basis } = await basisOf(read, cycle, zone, wallet.lastEntryNo);
  // The first settlement pays the money that was there when the cycle began, but not before the working days of each
  // day are over.
  if (seq === 1 && cutOff < shiftDay(cycle.beginsOn, -1)) return null;
  const daysOf = (names: readonly string[]): Promise<ChannelDays[]> => {
    const channelIds = [...new Set(names.flatMap((one) => one.split(',')))].filter((id) => id !== '');
    return read<ChannelDays>(channelDaysSql, [platformMerchantOf(country), channelIds]);
  };
  const [found = null] = await read<Settlement>(draftText, [merchantId]);
  const settled = await daysOf(Object.keys(found?.settledDays ?? {}));
  const drafted = found && isContinuable(found, { basis, cutOff, channels: settled, ...wallet }) ? found : null;
  const { pendingAfter, throughEntryNo, settledDays, settledEntries } = drafted ?? basis;
  const movements = await read<Movement>(movementsSql, [
    merchantId,
    pendingAfter,
    wallet.lastEntryNo,
    throughEntryNo,
    zone,
    JSON.stringify(settledDays),
    JSON.stringify(settledEntries ?? {}),
  ]);
  const channels = await daysOf(movements.map(({ channelId }) => channelId));
  const held = await read<HeldCredit>(heldSql, [merchantId]);
  const terms = { runDay: day, cutOff, basis, minimum, keep, held, accountId };
  return { seq, drafted, facts: { ...wallet, ...terms, movements, channels } };
}

/** The basis of a draft: the previous settlement, or the wallet when the cycle began. */
async function basisOf(
  read: Read,
  { merchantId, beginsOn }: Cycle,
  zone: string,
  lastEntryNo: number,
): Promise<{ seq: number; basis: Basis }> {
  const [before] = await read<Basis & { seq: number }>(lastSettlementSql, [merchantId]);
  if (before) return { seq: before.seq + 1, basis: before };
  // The number of an entry grows with its time, so few entries are looked at.
  let [opening, low, high] = ['0.00', 0, lastEntryNo + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const [entry] = await read<{ closing: string; isBefore: boolean }>(entrySql, [merchantId, middle, beginsOn, zone]);
    if (entry?.isBefore) [opening, low] = [entry.closing, middle];
    else high = middle;
  }
  return {
    seq: 1,
    basis: { closing: opening, throughEntryNo: low, pendingAfter: low, settledDays: {}, settledEntries: {} },
  };
}
