// Exports for the other modules of the domain.

export { closeFinding } from './close-finding.ts';
export type { Finding } from './open-findings.ts';
export { type PayoutStop, releasePayouts } from './payout-stops.ts';
export { makeSealKey } from './seals/seal-keys.ts';
