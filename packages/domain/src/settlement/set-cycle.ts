import { randomUUID } from 'node:crypto';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { readTextColumn } from '../boundary/read-column.ts';
import { endingOf } from '../core/account-number.ts';
import type { Decision } from '../core/operator.ts';
import type { Outcome } from '../core/rejection.ts';
import { Merchant } from '../database/entities/merchant.ts';
import { SettlementAccountRow, SettlementCycleRow } from '../database/entities/settlement.ts';
import type { VaultAccess } from '../database/vault.ts';
import { type ChangeAccess, type ChangeTransaction, changeConfiguration } from '../ledger/index.ts';
import type { Weekday } from './calendar/decide-days.ts';
import { todayOf } from './draft-settlements.ts';
import { forgetRunsSql } from './schedule/queries.ts';

/** A bank account: the name of its holder, its number or IBAN, and the code of its bank. */
export interface BankAccount {
  holder: string;
  number: string;
  bank: string;
}

/** How a merchant is settled. Amounts are decimal text in its currency. */
export interface SettlementCycle {
  merchantId: string;
  /** A day is settled this many working days after it. */
  workingDays: number;
  weekdays: Weekday[];
  /** A smaller amount is carried over. */
  minimum: string;
  /** This amount stays in the wallet. */
  keep: string;
  /** Money that was in the wallet before this day, `YYYY-MM-DD`, is paid with the first settlement. */
  beginsOn: string;
  accountId: string | null;
}

export type CycleChange = { merchantId: string; account?: BankAccount | undefined } & {
  [Field in 'workingDays' | 'weekdays' | 'minimum' | 'keep' | 'beginsOn']?: SettlementCycle[Field] | undefined;
};

/** The subject of audit records about a cycle. */
export const cycleSubject = 'settlement cycle';

/** Sets how a merchant is settled. Parts that are left out keep their value. A new cycle begins with T+1, from Monday to Friday. Refusals: merchant_not_found. */
export function setSettlementCycle(
  domain: ChangeAccess,
  { merchantId, account, ...changes }: CycleChange,
  by: Decision,
): Promise<Outcome<SettlementCycle>> {
  const named = { tenant: merchantId, change: 'setSettlementCycle' };
  return changeConfiguration(domain, named, by, async (within) => {
    const em = within.database.unitOfWork();
    const merchant = await em.findOne(Merchant, { merchantId });
    if (!merchant) return { ok: false, rejection: 'merchant_not_found' };
    const found = await em.findOne(SettlementCycleRow, { merchantId });
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const accountId = account === undefined ? {} : { accountId: await addAccount(within, merchantId, account) };
    const entity = found
      ? em.assign(found, { ...set, ...accountId })
      : em.create(SettlementCycleRow, {
          merchantId,
          workingDays: 1,
          weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
          minimum: '0.00',
          keep: '0.00',
          beginsOn: await todayOf(within, merchant.country),
          ...set,
          ...accountId,
        });
    await em.persist(entity).flush();
    const { workingDays, weekdays, minimum, keep, beginsOn } = entity;
    const value = { merchantId, workingDays, weekdays: weekdays as Weekday[], minimum, keep, beginsOn };
    const isNew = !found;
    return {
      ok: true,
      value: { subject: cycleSubject, entity, isNew, value: { ...value, accountId: entity.accountId ?? null } },
    };
  });
}

/** Ends the settlements of a merchant. Those that are approved go on. A cycle that is set later begins with its next run. Refusals: cycle_not_found. */
export function removeSettlementCycle(
  domain: ChangeAccess,
  { merchantId }: { merchantId: string },
  by: Decision,
): Promise<Outcome<{ merchantId: string }>> {
  return changeConfiguration(domain, { tenant: merchantId, change: 'removeSettlementCycle' }, by, async (within) => {
    const em = within.database.unitOfWork();
    const entity = await em.findOne(SettlementCycleRow, { merchantId });
    if (!entity) return { ok: false, rejection: 'cycle_not_found' };
    await em.remove(entity).flush();
    await within.database.pool.query(forgetRunsSql, [merchantId]);
    return { ok: true, value: { subject: cycleSubject, entity, value: { merchantId } } };
  });
}

const accountText = boundedText(1_000);
const sealedAccount = z.object({ holder: accountText, number: accountText, bank: accountText });

/** Opens a bank account of a settlement. Throws if it cannot be opened or read. */
export function openAccount(vault: VaultAccess['vault'], accountId: string, sealed: Uint8Array): BankAccount {
  return readTextColumn('settlement_account.sealed', vault.open('account', accountId, sealed), sealedAccount);
}

/** An account is never changed: settlements keep the one that they were approved for. */
export async function addAccount(
  { database, vault }: ChangeTransaction,
  merchantId: string,
  account: BankAccount,
): Promise<string> {
  const em = database.unitOfWork();
  const accountId = randomUUID();
  const sealed = vault.seal('account', accountId, JSON.stringify(account));
  em.persist(em.create(SettlementAccountRow, { merchantId, accountId, sealed, ending: endingOf(account.number) }));
  await em.flush();
  return accountId;
}
