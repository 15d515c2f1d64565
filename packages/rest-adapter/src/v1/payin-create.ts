import { countryRules } from '@tidegate/domain';
import { invalidParameters, refuseRejection } from '../request/refusals.ts';
import type { Endpoint } from './endpoint.ts';
import { urlsOf } from './payin-urls.ts';

/**
 * Create payin (contract "Create payin"; decisions 4, 5.8). The merchant's country defines the fields of request and
 * answer.
 */
export const payinCreate: Endpoint = {
  method: 'POST',
  path: '/payin/create',
  async answer(domain, { merchant, fields }) {
    const { parse, createView } = countryRules[merchant.country].payin;
    const { acceptDeprecatedFields } = merchant;
    const parsed = parse(fields, { acceptDeprecatedFields, notifyNetworks: domain.notifyNetworks });
    if (!parsed.ok) return invalidParameters(parsed.problems);
    const created = await domain.createPayin(merchant, parsed.request);
    if (!created.ok) return refuseRejection(created);
    const { orderNo } = created.value;
    return { ok: true, data: createView(created.value, urlsOf(domain, orderNo)), orderNo };
  },
};
