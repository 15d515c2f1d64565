import { type ChannelMode, type ModeSettings, modeOfSigns } from '@tidegate/domain/channels';
import { signOfKey, signsOfSharedHost } from '../provider/mode-signs.ts';

/**
 * Both modes have one host; the secret key decides: `skey_test_…` for tests, `skey_…` for real money. Source:
 * https://docs.omise.co/api-authentication ("Test keys include the string _test_"). The webhook secret shows no mode.
 */
export function modeOfOpn({ baseUrl, credentials }: ModeSettings): ChannelMode {
  return modeOfSigns([
    signOfKey(credentials.secretKey ?? '', { live: 'skey_', test: 'skey_test_' }),
    ...signsOfSharedHost(baseUrl, ['api.omise.co']),
  ]);
}
