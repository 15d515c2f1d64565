import type { ChannelDetailQuery } from '../generated/documents.generated.ts';

/** A channel as its page reads it. */
export type ChannelDetail = NonNullable<ChannelDetailQuery['channel']>;
