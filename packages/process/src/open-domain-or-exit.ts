import { type Domain, type DomainOptions, openDomain, SchemaTooOld } from '@tidegate/domain';
import type { EnvironmentName } from '@tidegate/settings';
import { refusalsOfProduction } from './refusals-of-production.ts';

/**
 * Opens the domain for a process's start. Where the database's schema is too old, or production must not run on it, it says so, a line each,
 * and ends with 1.
 */
export async function openDomainOrExit(environment: EnvironmentName, options: DomainOptions): Promise<Domain> {
  try {
    const domain = await openDomain(options);
    const refusals = environment === 'production' ? await refusalsOfProduction(domain) : [];
    if (refusals.length === 0) return domain;
    for (const refusal of refusals) options.log.error({}, refusal);
  } catch (error) {
    if (!(error instanceof SchemaTooOld)) throw error;
    options.log.error({}, error.message);
  }
  process.exit(1);
}
