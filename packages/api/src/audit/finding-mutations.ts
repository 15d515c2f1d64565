import { addOperationForTwo } from '../approval/operation-field.ts';
import { FindingType } from './finding-type.ts';

addOperationForTwo('releasePayouts', (t) => ({
  merchantId: t.string({
    nullable: true,
    description: 'Number of the merchant whose payouts are released.',
    resolve: ({ value }) => value?.merchantId ?? null,
  }),
}));

addOperationForTwo('closeFinding', (t) => ({
  finding: t.field({
    type: FindingType,
    nullable: true,
    description: 'The finding after the operation.',
    resolve: ({ value }) => value,
  }),
}));
