/** The patterns of `X-Timestamp` and `X-Nonce` (decisions 2.1). */
export const TIMESTAMP_PATTERN = /^[0-9]{10}$/;
export const NONCE_PATTERN = /^[A-Za-z0-9_-]{8,64}$/;
