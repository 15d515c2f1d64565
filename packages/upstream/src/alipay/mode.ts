import { type ChannelMode, type ModeSettings, modeOfSigns } from '@tidegate/domain/channels';
import { signOfHost } from '../provider/mode-signs.ts';

/**
 * The host decides: applications of the sandbox exist only at the sandbox's gateway. Their numbers begin with 9021, which
 * is no sign of a live one. Sources: docs/channels/alipay.md, "Test or live".
 */
export function modeOfAlipay({ baseUrl, credentials }: ModeSettings): ChannelMode {
  return modeOfSigns([
    signOfHost(baseUrl, { live: ['openapi.alipay.com'], test: ['alipaydev.com'] }),
    ...(credentials.appId?.startsWith('9021') ? (['test'] as const) : []),
  ]);
}
