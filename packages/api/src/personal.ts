import type { Role } from '@tidegate/domain/operators';

/**
 * Who may see who somebody is: payers, payees, who paid a task. Also for free text from channels, merchants' endpoints and operators'
 * input, which can name somebody.
 */
export const personal: { roles: readonly Role[] } = { roles: ['support', 'operator', 'finance', 'admin'] };
