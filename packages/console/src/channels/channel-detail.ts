import type { ChannelDetailQuery } from '../generated/documents.generated.ts';

/** A channel as its page reads it. */
export type ChannelDetail = NonNullable<ChannelDetailQuery['channel']>;

/** The credentials of a channel, by name. */
export type ChannelCredentials = NonNullable<ChannelDetail['credentials']>;
