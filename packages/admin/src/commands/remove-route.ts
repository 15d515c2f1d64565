import { changeConfiguration, removeRoute } from '@tidegate/domain';
import { done, refused } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { count, merchantNo } from '../readers.ts';

export const removeRouteCommand = defineCommand({
  name: 'remove-route',
  group: 'Merchants',
  summary: "take one of a merchant's routes away; orders that went through it go on",
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    routeNo: argument('<route-no>', 'the number of the route', count),
  },
  async run({ domain, by }, { merchant, routeNo }) {
    if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
    const change = { merchantId: merchant, change: 'removeRoute', subject: `route ${routeNo}` };
    if (!(await changeConfiguration(domain, change, by, () => removeRoute(domain, merchant, routeNo))))
      return refused(`${merchant} has no route ${routeNo}`);
    return done(`Route ${routeNo} of ${merchant} is gone.`, { merchantNo: merchant, routeNo });
  },
});
