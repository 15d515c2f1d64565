import type { BlockList } from 'node:net';
import { readNetwork } from '@tidegate/settings/network';
import type { Currency } from '../core/country.ts';
import { Money } from '../core/money.ts';
import { problemOfNotifyUrl } from '../core/notify-url.ts';
import { opensMore } from '../core/opens-more.ts';
import type { OrderKind } from '../core/order.ts';
import type { FieldProblem, Outcome, Refused } from '../core/rejection.ts';
import { Merchant } from '../database/entities/merchant.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/** Settings of a merchant. An absent one stays as it is. Amounts are decimal text in the merchant's currency. */
export interface MerchantSettings {
  name?: string;
  /** Null: none. */
  defaultNotifyUrl?: string | null;
  /** Addresses and CIDR networks; null: everyone may ask. */
  ipAllowList?: string[] | null;
  requestsPerSecond?: number;
  requestBurst?: number;
  payinMin?: string;
  payinMax?: string;
  payoutMin?: string;
  payoutMax?: string;
  acceptDeprecatedFields?: boolean;
  payinEnabled?: boolean;
  payoutEnabled?: boolean;
}

/** The merchant as an entity, and whether the change lets more through than before. */
export interface SetMerchant {
  entity: object;
  opensMore: boolean;
}

/**
 * Changes a merchant's settings, and returns the merchant. Refusals: merchant_not_found; invalid_input with all wrong
 * fields, and then nothing is changed.
 */
export async function setMerchant(
  within: ChangeTransaction,
  networks: BlockList,
  merchantId: string,
  settings: MerchantSettings,
): Promise<Outcome<SetMerchant>> {
  if (Object.values(settings).every((value) => value === undefined))
    return invalid([{ path: 'settings', reason: 'name no setting to change' }]);
  const em = within.database.unitOfWork();
  const merchant = await em.findOne(Merchant, merchantId);
  if (!merchant) return { ok: false, rejection: 'merchant_not_found' };
  const problems = problemsOf(networks, settings, { ...merchant, ...settings });
  if (problems.length > 0) return invalid(problems);
  const opens = opensMore(merchant, { ...merchant, ...settings });
  em.assign(merchant, settings);
  await em.flush();
  return { ok: true, value: { entity: merchant, opensMore: opens } };
}

function invalid(fields: FieldProblem[]): Refused {
  return { ok: false, rejection: 'invalid_input', fields };
}

type Limits = Record<`${OrderKind}${'Min' | 'Max'}`, string> & { currency: Currency };

function problemsOf(networks: BlockList, settings: MerchantSettings, merged: Limits): FieldProblem[] {
  const { defaultNotifyUrl: url, ipAllowList } = settings;
  const urlProblem = typeof url === 'string' ? problemOfNotifyUrl(url, networks) : null;
  const strange = (ipAllowList ?? []).filter((entry) => readNetwork(entry) === null);
  return [
    ...(urlProblem ? [{ path: 'defaultNotifyUrl', reason: urlProblem }] : []),
    ...strange.map((entry) => ({
      path: 'ipAllowList',
      reason: `holds ${entry}, which is neither an address nor a network such as 203.0.113.0/24`,
    })),
    ...(ipAllowList?.length === 0 ? [{ path: 'ipAllowList', reason: 'is empty and would refuse all addresses' }] : []),
    ...(['payin', 'payout'] as const)
      .filter((kind) => isUpsideDown(merged, kind))
      .map((kind) => ({ path: `${kind}Min`, reason: `would be above ${kind}Max` })),
  ];
}

function isUpsideDown(merged: Limits, kind: OrderKind): boolean {
  return Money.of(merged[`${kind}Max`], merged.currency).isLessThan(Money.of(merged[`${kind}Min`], merged.currency));
}
