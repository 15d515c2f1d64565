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

/** Entries are compared as text: a part of a network that is in the list counts as new. */
function letsMoreIn(before: readonly string[] | null, after: readonly string[] | null): boolean {
  if (before === null) return false;
  return after === null || after.some((entry) => !before.includes(entry));
}
