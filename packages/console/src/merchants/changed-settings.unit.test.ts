import { expect, test } from 'vitest';
import { changedSettings, shownSettings } from './changed-settings.ts';

const merchant = {
  name: 'Shop',
  defaultNotifyUrl: 'https://shop.example/notify',
  ipAllowList: ['10.0.0.1', '10.1.0.0/16'],
  requestsPerSecond: 10,
  requestBurst: 20,
  payinEnabled: true,
  payinMin: '1.00',
  payinMax: '100.00',
  payoutEnabled: false,
  payoutMin: '1.00',
  payoutMax: '100.00',
};
const shown = shownSettings(merchant);

test('only changed settings are sent, and an emptied list of addresses allows any address', () => {
  expect(changedSettings(merchant, shown)).toEqual({});
  expect(changedSettings(merchant, { ...shown, ipAllowList: ' ' })).toEqual({ ipAllowList: null });
  expect(changedSettings(merchant, { ...shown, defaultNotifyUrl: '' })).toEqual({ defaultNotifyUrl: null });
  expect(
    changedSettings(merchant, {
      ipAllowList: '10.0.0.2; 10.0.0.3',
      requestBurst: '30',
      payoutEnabled: 'true',
      payinMax: '5',
    }),
  ).toEqual({ ipAllowList: ['10.0.0.2', '10.0.0.3'], requestBurst: 30, payoutEnabled: true, payinMax: '5' });
});
