import { isIP } from 'node:net';
import { Money } from '../core/money.ts';
import { problemOfNotifyUrl } from '../core/notify-url.ts';
import type { OrderKind } from '../core/order.ts';
import type { MerchantProfile } from '../store/directory.ts';
import type { Domain } from './domain.ts';

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

/** Changes a merchant's settings. Gives every problem, in words, and then nothing was changed; none when all is done. */
export async function setMerchant(
  domain: Domain,
  merchant: MerchantProfile,
  settings: MerchantSettings,
): Promise<string[]> {
  const problems = problemsOf(domain, merchant, settings);
  if (problems.length > 0) return problems;
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  if (set.length === 0) return ['nothing is to be set'];
  const columns = set.map(([name], i) => `${columnOf[name as keyof MerchantSettings]} = $${i + 2}`);
  await domain.database.pool.query(`update merchant set ${columns.join(', ')} where merchant_id = $1`, [
    merchant.merchantId,
    ...set.map(([, value]) => value),
  ]);
  return [];
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

function problemsOf(domain: Domain, merchant: MerchantProfile, settings: MerchantSettings): string[] {
  const url = settings.defaultNotifyUrl;
  const urlProblem = typeof url === 'string' ? problemOfNotifyUrl(url, domain.notifyNetworks) : null;
  const strange = (settings.ipAllowList ?? []).filter((entry) => !isNetwork(entry));
  const limits = (['payin', 'payout'] as const).filter((kind) => isUpsideDown(merchant, kind, settings));
  return [
    ...(urlProblem ? [`the notify URL ${urlProblem}`] : []),
    ...strange.map((entry) => `${entry} is neither an address nor a network such as 203.0.113.0/24`),
    ...(settings.ipAllowList?.length === 0 ? ['an empty allow list would let nobody in'] : []),
    ...limits.map((kind) => `the ${kind} minimum would be above its maximum`),
  ];
}

function isUpsideDown(merchant: MerchantProfile, kind: OrderKind, settings: MerchantSettings): boolean {
  const { minAmount, maxAmount } = merchant.limits[kind];
  const minimum = Money.of(settings[`${kind}Min`] ?? minAmount, merchant.currency);
  return Money.of(settings[`${kind}Max`] ?? maxAmount, merchant.currency).isLessThan(minimum);
}

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
