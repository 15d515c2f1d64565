import { type BlockList, isIP } from 'node:net';
import type { Currency } from '../core/country.ts';
import { Money } from '../core/money.ts';
import { problemOfNotifyUrl } from '../core/notify-url.ts';
import type { OrderKind } from '../core/order.ts';
import type { FieldProblem, Outcome, Refused } from '../core/rejection.ts';
import type { Within } from '../ledger/index.ts';

/** What can be set of a merchant; what is left out stays. Amounts are decimal text in the merchant's currency. */
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

/**
 * Changes a merchant's settings; gives what was set as it was before. Refusals: merchant_not_found; invalid_input with every field
 * that is wrong, and then nothing was changed.
 */
export async function setMerchant(
  within: Within,
  networks: BlockList,
  merchantId: string,
  settings: MerchantSettings,
): Promise<Outcome<MerchantSettings>> {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  if (set.length === 0) return invalid([{ path: 'settings', reason: 'name nothing that is to be set' }]);
  const merchant = await readSettings(within, merchantId);
  if (!merchant) return { ok: false, rejection: 'merchant_not_found' };
  const problems = problemsOf(networks, settings, { ...merchant, ...settings });
  if (problems.length > 0) return invalid(problems);
  const columns = set.map(([name], i) => `${columnOf[name as keyof MerchantSettings]} = $${i + 2}`);
  await within.database.pool.query(`update merchant set ${columns.join(', ')} where merchant_id = $1`, [
    merchantId,
    ...set.map(([, value]) => value),
  ]);
  return {
    ok: true,
    value: Object.fromEntries(set.map(([name]) => [name, merchant[name as keyof MerchantSettings]])),
  };
}

function invalid(fields: FieldProblem[]): Refused {
  return { ok: false, rejection: 'invalid_input', fields };
}

type Settings = Required<MerchantSettings> & { currency: Currency };

/** Held until the transaction ends, so that two changes see each other. */
async function readSettings(within: Within, merchantId: string): Promise<Settings | null> {
  const columns = Object.entries(columnOf).map(([name, column]) =>
    /_(min|max)$/.test(column) ? `${column}::text as "${name}"` : `${column} as "${name}"`,
  );
  const { rows } = await within.database.pool.query<Settings>(
    `select currency, ${columns.join(', ')} from merchant where merchant_id = $1 for no key update`,
    [merchantId],
  );
  return rows[0] ?? null;
}

const columnOf: Record<keyof MerchantSettings, string> = {
  name: 'name',
  defaultNotifyUrl: 'default_notify_url',
  ipAllowList: 'ip_allow_list',
  requestsPerSecond: 'requests_per_second',
  requestBurst: 'request_burst',
  payinMin: 'payin_min',
  payinMax: 'payin_max',
  payoutMin: 'payout_min',
  payoutMax: 'payout_max',
  acceptDeprecatedFields: 'accept_deprecated_fields',
  payinEnabled: 'payin_enabled',
  payoutEnabled: 'payout_enabled',
};

function problemsOf(networks: BlockList, settings: MerchantSettings, merged: Settings): FieldProblem[] {
  const { defaultNotifyUrl: url, ipAllowList } = settings;
  const urlProblem = typeof url === 'string' ? problemOfNotifyUrl(url, networks) : null;
  const strange = (ipAllowList ?? []).filter((entry) => !isNetwork(entry));
  return [
    ...(urlProblem ? [{ path: 'defaultNotifyUrl', reason: urlProblem }] : []),
    ...strange.map((entry) => ({
      path: 'ipAllowList',
      reason: `holds ${entry}, which is neither an address nor a network such as 203.0.113.0/24`,
    })),
    ...(ipAllowList?.length === 0 ? [{ path: 'ipAllowList', reason: 'is empty, and would let nobody in' }] : []),
    ...(['payin', 'payout'] as const)
      .filter((kind) => isUpsideDown(merged, kind))
      .map((kind) => ({ path: `${kind}Min`, reason: `would be above ${kind}Max` })),
  ];
}

function isUpsideDown(merged: Settings, kind: OrderKind): boolean {
  return Money.of(merged[`${kind}Max`], merged.currency).isLessThan(Money.of(merged[`${kind}Min`], merged.currency));
}

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
