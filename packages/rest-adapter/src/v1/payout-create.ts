import { countryRules } from '@tidegate/domain';
import { refuse } from '../request/envelope.ts';
import { invalidParameters, refuseRejection } from '../request/refusals.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Create payout (contract "Create payout"; decisions 4, 5.8). For a country without payouts: 40303, without validation.
 */
export const payoutCreate: Endpoint = {
  method: 'POST',
  path: '/payout/create',
  async answer(domain, { merchant, fields }) {
    const rules = countryRules[merchant.country].payout;
    if (!rules) return refuse('operation_not_available');
    const { acceptDeprecatedFields } = merchant;
    const parsed = rules.parse(fields, { acceptDeprecatedFields, notifyNetworks: domain.notifyNetworks });
    if (!parsed.ok) return invalidParameters(parsed.problems);
    const created = await domain.createPayout(merchant, parsed.request);
    if (!created.ok) return refuseRejection(created);
    return { ok: true, data: rules.createView(created.value), orderNo: created.value.orderNo };
  },
};
