import { loadMerchants, merchantFilter, pageMerchants } from '@tidegate/domain/lists';
import { matchingText } from '@tidegate/settings/bounded-text';
import { CountryEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { MerchantStatusEnum, MerchantType } from './merchant-type.ts';

const MerchantFilter = builder.inputType('MerchantFilter', {
  description: 'Filter for merchants. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these merchant numbers, at most 100.' }),
    countries: t.field({ type: [CountryEnum], description: 'Any of these countries.' }),
    status: t.field({ type: MerchantStatusEnum, description: 'Whether the merchant may call the API.' }),
    search: t.string({ description: 'Part of the merchant number or name. Case is ignored.' }),
  }),
});

builder.queryField('merchants', (t) =>
  t.connection({
    type: MerchantType,
    description: 'Merchants, by number.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: MerchantFilter,
        description: 'Filter. Default: all merchants that you may see.',
        validate: { schema: merchantFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('merchants', page);
      return connectionOf(await pageMerchants(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);

/** A merchant's number. The platform's own tenants have no merchant. */
export const merchantNumber = matchingText(
  32,
  /^(?!PLATFORM($|-))[A-Z0-9-]{3,32}$/,
  'must be a merchant number: 3 to 32 upper-case letters, digits, hyphens',
);

builder.queryField('merchant', (t) =>
  t.field({
    type: MerchantType,
    nullable: true,
    description: 'One merchant. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      merchantId: t.arg.string({
        required: true,
        description: 'The merchant number.',
        validate: { schema: merchantNumber },
      }),
    },
    resolve: async (_root, args, context) => {
      const [merchant] = await loadMerchants(context.domain, scopeOf(context), [args.merchantId]);
      return merchant ?? null;
    },
  }),
);
