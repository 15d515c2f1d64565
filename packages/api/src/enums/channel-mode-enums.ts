import type { ChannelMode, DeclaredMode } from '@tidegate/domain/channels';
import { builder } from '../graphql/builder.ts';

/** What the account of a channel is for. */
export const ChannelModeEnum = builder.enumType('ChannelMode', {
  description: 'What the account of a channel is for.',
  values: {
    LIVE: { value: 'live', description: 'Real money.' },
    TEST: { value: 'test', description: 'Tests at the provider. No money moves.' },
    MIXED: { value: 'mixed', description: 'It has keys of both a test and a live account.' },
    UNKNOWN: { value: 'unknown', description: 'Neither key nor host shows it, and nothing is declared.' },
  } as const satisfies Record<string, { value: ChannelMode; description: string }>,
});

/** What operators can declare an account as. */
export const DeclaredModeEnum = builder.enumType('DeclaredMode', {
  description: 'How operators declare an account whose key and host do not show its mode.',
  values: {
    LIVE: { value: 'live', description: 'For real money.' },
    TEST: { value: 'test', description: 'For tests at the provider.' },
  } as const satisfies Record<string, { value: DeclaredMode; description: string }>,
});
