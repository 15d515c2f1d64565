import type { ActionValues } from '../actions/action.ts';
import type { SetMerchantInput } from '../generated/documents.generated.ts';
import type { MerchantDetail } from './merchant-detail.ts';

type Settings = Pick<
  MerchantDetail,
  | 'name'
  | 'defaultNotifyUrl'
  | 'ipAllowList'
  | 'requestsPerSecond'
  | 'requestBurst'
  | `${'payin' | 'payout'}${'Enabled' | 'Min' | 'Max'}`
>;
type Name = keyof Settings;

/** The text in each field of the settings dialog when it opens. */
export function shownSettings(merchant: Settings): Record<Name, string> {
  const { defaultNotifyUrl, ipAllowList } = merchant;
  const { name, payinMin, payinMax, payoutMin, payoutMax } = merchant;
  return {
    name,
    payinMin,
    payinMax,
    payoutMin,
    payoutMax,
    defaultNotifyUrl: defaultNotifyUrl ?? '',
    ipAllowList: ipAllowList?.join(', ') ?? '',
    requestsPerSecond: String(merchant.requestsPerSecond),
    requestBurst: String(merchant.requestBurst),
    payinEnabled: String(merchant.payinEnabled),
    payoutEnabled: String(merchant.payoutEnabled),
  };
}

/** The settings that were changed in the dialog. Only these are sent, so that other operators' changes stay. */
export function changedSettings(merchant: Settings, values: ActionValues): Omit<SetMerchantInput, 'merchantId'> {
  const shown = shownSettings(merchant);
  const changed = Object.entries(values).filter(
    ([name, value]) => name in shown && value.trim() !== shown[name as Name],
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, PARSERS[name as Name](value.trim())]));
}

const asText = (value: string) => value;
const isYes = (value: string) => value === 'true';

/** Reads the text of a field as its setting. */
const PARSERS: { [Field in Name]: (value: string) => SetMerchantInput[Field] } = {
  name: asText,
  // An empty field means: none.
  defaultNotifyUrl: (value) => value || null,
  // An empty field means: any address.
  ipAllowList: (value) => (value === '' ? null : value.split(/[\s,;]+/).filter((one) => one !== '')),
  requestsPerSecond: Number,
  requestBurst: Number,
  payinEnabled: isYes,
  payinMin: asText,
  payinMax: asText,
  payoutEnabled: isYes,
  payoutMin: asText,
  payoutMax: asText,
};
