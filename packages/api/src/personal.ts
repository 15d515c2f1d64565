import type { Role } from '@tidegate/domain';

/** Who may see who somebody is: payers, payees, whoever paid a task. */
export const personal: { roles: readonly Role[] } = { roles: ['support', 'operator', 'finance', 'admin'] };
