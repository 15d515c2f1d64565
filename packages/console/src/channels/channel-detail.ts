import type { AdapterPartsFragment, ChannelDetailQuery } from '../generated/documents.generated.ts';

/** A channel as its page reads it. */
export type ChannelDetail = NonNullable<ChannelDetailQuery['channel']>;

/** The settings that the installed adapters read. Empty: this operator may not set channels. */
export type Adapters = readonly AdapterPartsFragment[];

/** The credentials of a channel, by name. */
export type ChannelCredentials = NonNullable<ChannelDetail['credentials']>;
