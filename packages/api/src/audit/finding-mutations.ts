import { addOperationForTwo } from '../operation/operation-field.ts';
import { FindingType } from './finding-type.ts';

addOperationForTwo('closeFinding', (t) => ({
  finding: t.field({
    type: FindingType,
    nullable: true,
    description: 'The finding as it is then.',
    resolve: ({ value }) => value,
  }),
}));
