import { fakes } from '@tidegate/upstream/fakes';

/** The providers for `npm start -- --channels`. */
export const providerNames: readonly string[] = fakes.map(({ provider }) => provider);
