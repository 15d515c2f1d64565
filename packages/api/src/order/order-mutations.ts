import { addOperation, addOperationForTwo } from '../approval/operation-field.ts';
import { OrderInterface } from './order-type.ts';

const description = 'The order after the operation.';

const alone = ['cancelOrder', 'refreshOrder', 'claimPayoutTask', 'rejectProof'] as const;
for (const name of alone)
  addOperation(name, (t) => ({
    order: t.field({ type: OrderInterface, description, resolve: ({ value }) => value }),
  }));

for (const name of ['confirmFunds', 'resolvePayout', 'giveBackPayoutTask', 'provePayoutTask', 'acceptProof'] as const)
  addOperationForTwo(name, (t) => ({
    order: t.field({ type: OrderInterface, nullable: true, description, resolve: ({ value }) => value }),
  }));
