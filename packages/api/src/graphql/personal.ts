import type { Role } from '@tidegate/domain/operators';

/**
 * The roles that may see personal data: payers, payees, who paid a task. Also for free text from channels, merchants'
 * endpoints and operators, which may name a person.
 */
export const personal: { roles: readonly Role[] } = { roles: ['support', 'operator', 'finance', 'admin'] };
