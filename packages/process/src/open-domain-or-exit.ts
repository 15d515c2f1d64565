import { type Domain, type DomainOptions, openDomain, SchemaTooOld } from '@tidegate/domain';

/** Opens the domain for a process's start. Where the database's schema is too old it says so in one line and ends with 1. */
export async function openDomainOrExit(options: DomainOptions): Promise<Domain> {
  try {
    return await openDomain(options);
  } catch (error) {
    if (!(error instanceof SchemaTooOld)) throw error;
    options.log.error({}, error.message);
    process.exit(1);
  }
}
