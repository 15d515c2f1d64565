import type { Decision } from '../core/operator.ts';
import type { Domain } from './domain.ts';

/** The tenant whose chain of audit records keeps what concerns no merchant: operators, channels, bank mappings. */
export const platformTenant = 'PLATFORM';

export interface ConfigurationChange {
  /** Whose chain it is recorded in: the merchant's, or `platformTenant`. */
  merchantId: string;
  /** The use-case's name, e.g. `setFeeRule`. */
  change: string;
  /** What was changed: a key, a route, an operator. */
  subject: string;
  /** What it was set to; never a secret. */
  settings?: { [name: string]: unknown };
}

/** A change that was made, but whose audit record could not be written. */
export class ChangeNotRecorded extends Error {}

/**
 * Changes what is configured, and records who did so and why. `apply` tells whether it changed anything; what it refused leaves no
 * record. Gives what `apply` gave. Throws ChangeNotRecorded when the record fails after the change: to repeat the change records it.
 */
export async function changeConfiguration(
  domain: Domain,
  { merchantId, change, subject, settings }: ConfigurationChange,
  by: Decision,
  apply: () => Promise<boolean>,
): Promise<boolean> {
  if (!(await apply())) return false;
  const command = { type: 'recordChange', merchantId, change, subject, ...(settings && { settings }), by } as const;
  const recorded = await domain.commit(command).catch((cause) => {
    throw new ChangeNotRecorded(`${change} of ${subject} was done, but its audit record could not be written`, {
      cause,
    });
  });
  if (!recorded.ok)
    throw new ChangeNotRecorded(`${change} of ${subject} was done, but not recorded: ${recorded.rejection}`);
  return true;
}
