import { addOperationForTwo } from '../operation/operation-field.ts';
import { FindingType } from './finding-type.ts';

addOperationForTwo('closeFinding', (t) => ({
  finding: t.field({
    type: FindingType,
    nullable: true,
    description: 'The finding after the operation.',
    resolve: ({ value }) => value,
  }),
}));
