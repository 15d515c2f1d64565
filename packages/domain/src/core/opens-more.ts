import { readNetwork } from '@tidegate/settings/network';
import { networks } from './address.ts';
import { exceeds } from './money.ts';

/** The settings of a merchant that limit what it may do. Amounts are decimal text. */
export interface MerchantLimits {
  payinEnabled: boolean;
  payoutEnabled: boolean;
  payinMin: string;
  payinMax: string;
  payoutMin: string;
  payoutMax: string;
  /** Null or left out: any address. */
  ipAllowList?: readonly string[] | null | undefined;
  defaultNotifyUrl?: string | null | undefined;
}

/**
 * Whether a change of settings lets more through than before, or sends notifications elsewhere. Such a change needs a
 * second operator. A change that only narrows does not.
 */
export function opensMore(before: MerchantLimits, after: MerchantLimits): boolean {
  const isEnabled = (name: 'payinEnabled' | 'payoutEnabled'): boolean => after[name] && !before[name];
  return (
    isEnabled('payinEnabled') ||
    isEnabled('payoutEnabled') ||
    exceeds(after.payinMax, before.payinMax) ||
    exceeds(after.payoutMax, before.payoutMax) ||
    exceeds(before.payinMin, after.payinMin) ||
    exceeds(before.payoutMin, after.payoutMin) ||
    letsMoreIn(before.ipAllowList ?? null, after.ipAllowList ?? null) ||
    (after.defaultNotifyUrl ?? null) !== (before.defaultNotifyUrl ?? null)
  );
}

/**
 * Whether an address may send requests now that might not before. IPv6 networks are compared as text, because one of
 * mapped addresses stands for IPv4: a part of such a network counts as new.
 */
function letsMoreIn(before: readonly string[] | null, after: readonly string[] | null): boolean {
  if (before === null) return false;
  return after === null || after.some((entry) => !before.some((one) => one === entry || isPartOf(entry, one)));
}

/** Whether all addresses of an IPv4 network, or the one address, are in the other. */
function isPartOf(entry: string, other: string): boolean {
  const [part, whole] = [readNetwork(entry), readNetwork(other)];
  if (part?.family !== 4 || whole?.family !== 4 || (part.prefix ?? 32) < (whole.prefix ?? 32)) return false;
  return networks([`${whole.address}/${whole.prefix ?? 32}`]).check(part.address, 'ipv4');
}
