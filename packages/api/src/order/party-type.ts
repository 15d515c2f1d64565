import type { Order } from '@tidegate/domain';
import { builder } from '../builder.ts';
import { personal } from '../personal.ts';

/** A payer or payee. */
export const PartyType = builder.objectRef<NonNullable<Order['details']['party']>>('Party').implement({
  description: 'A payer or payee, as the merchant said. Personal data.',
  authScopes: personal,
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'Their name.' }),
    account: t.exposeString('account', { nullable: true, description: 'Their account or wallet number.' }),
    mobile: t.exposeString('mobile', { nullable: true, description: 'Their mobile number.' }),
    email: t.exposeString('email', { nullable: true, description: 'Their e-mail address.' }),
    idNo: t.exposeString('idNo', { nullable: true, description: 'The number of their identity document.' }),
    ifsc: t.exposeString('ifsc', { nullable: true, description: "IN: their bank's branch code." }),
  }),
});
