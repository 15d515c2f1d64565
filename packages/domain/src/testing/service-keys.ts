import { generateServiceKey } from '../configuration/make-service-key.ts';
import { rotateServiceKey } from '../configuration/rotate-service-key.ts';
import type { Domain } from '../open-domain.ts';

/** Gives a merchant a service key that replaces its first one. */
export async function giveServiceKeys({ database, vault }: Domain, merchantId: string): Promise<void> {
  await rotateServiceKey({ database, vault }, merchantId, await generateServiceKey(), 60_000);
}
