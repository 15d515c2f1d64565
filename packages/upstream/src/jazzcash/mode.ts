import { type ChannelMode, type ModeSettings, modeOfSigns } from '@tidegate/domain/channels';
import { signOfHost } from '../provider/mode-signs.ts';

/**
 * The classic gateway has a host for tests and one for real money. The orchestrator has one host for both: there the
 * account decides, and nothing in its settings shows it. Sources: docs/channels/jazzcash.md, 1, 2 and 6.
 */
export function modeOfJazzCash({ baseUrl }: ModeSettings): ChannelMode {
  return modeOfSigns([signOfHost(baseUrl, { live: ['payments.jazzcash.com.pk'], test: ['sandbox.jazzcash.com.pk'] })]);
}
