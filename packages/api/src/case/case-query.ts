import { loadMoneyCases, merchantIdSchema } from '@tidegate/domain/lists';
import * as z from 'zod';
import { builder } from '../graphql/builder.ts';
import { scopeOf } from '../graphql/paging.ts';
import { CaseType } from './case-type.ts';

const caseNo = z.number().int().min(1, 'must be the number of a case, from 1');

builder.queryField('moneyCase', (t) =>
  t.field({
    type: CaseType,
    nullable: true,
    description: 'One case, by its merchant and number. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      merchantId: t.arg.string({
        required: true,
        description: 'Merchant number. For unmatched money: PLATFORM-CN, PLATFORM-TH, PLATFORM-IN or PLATFORM-PK.',
        validate: { schema: merchantIdSchema },
      }),
      caseNo: t.arg.int({
        required: true,
        description: 'Number of the case within the merchant.',
        validate: { schema: caseNo },
      }),
    },
    resolve: async (_root, named, context) => {
      const [found] = await loadMoneyCases(context.domain, scopeOf(context), [named]);
      return found ?? null;
    },
  }),
);
