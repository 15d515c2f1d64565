import type { Word } from '../format/words.ts';
import type { MerchantStatus, RouteMode } from '../generated/documents.generated.ts';

/** Whether a merchant may call the API. */
export const merchantStatusWords: Readonly<Record<MerchantStatus, Word>> = {
  ACTIVE: { label: 'Active', tone: 'good' },
  DISABLED: { label: 'Disabled', tone: 'bad' },
};

/** Who carries out the orders of a route. */
export const routeModeWords: Readonly<Record<RouteMode, string>> = {
  UPSTREAM: 'Channel',
  MANUAL: 'By hand, at the bank',
  MARKET: 'Task market',
};
