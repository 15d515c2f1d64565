import type { MerchantDetailQuery } from '../generated/documents.generated.ts';

/** A merchant as its page reads it. */
export type MerchantDetail = NonNullable<MerchantDetailQuery['merchant']>;
