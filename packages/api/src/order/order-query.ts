import { findOrderByNumber } from '@tidegate/domain';
import { mayAccess } from '@tidegate/domain/operators';
import { matchingText } from '@tidegate/settings/bounded-text';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { OrderInterface } from './order-type.ts';

/** The pattern of decisions 5.1. */
const orderNo = matchingText(
  32,
  /^P[IO][0-9A-Z]{1,30}$/,
  'must be PI or PO, then up to 30 digits and upper-case letters',
);

builder.queryField('order', (t) =>
  t.field({
    type: OrderInterface,
    nullable: true,
    description: 'One order of any merchant. Null if it does not exist or you may not see it.',
    authScopes: { operator: true },
    args: {
      orderNo: t.arg.string({
        required: true,
        description: 'Service order number: PI or PO, then digits and upper-case letters.',
        validate: { schema: orderNo },
      }),
    },
    resolve: async (_root, args, context) => {
      const order = await findOrderByNumber(context.domain, args.orderNo);
      return order && mayAccess(operatorOf(context), order) ? order : null;
    },
  }),
);
