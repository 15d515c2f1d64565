import type { Order } from '@tidegate/domain';
import { builder } from '../graphql/builder.ts';
import { personal } from '../graphql/personal.ts';

/** A payer or payee. */
export const PartyType = builder.objectRef<NonNullable<Order['details']['party']>>('Party').implement({
  description: 'A payer or payee, as sent by the merchant. Personal data.',
  authScopes: personal,
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'Full name.' }),
    account: t.exposeString('account', { nullable: true, description: 'Account or wallet number.' }),
    mobile: t.exposeString('mobile', { nullable: true, description: 'Mobile number.' }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address.' }),
    idNo: t.exposeString('idNo', { nullable: true, description: 'Number of the identity document.' }),
    ifsc: t.exposeString('ifsc', { nullable: true, description: 'India: branch code of the bank (IFSC).' }),
  }),
});
