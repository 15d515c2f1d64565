import { addOperation, addOperationForTwo } from '../operation/operation-field.ts';
import { CaseType } from './case-type.ts';

addOperationForTwo('creditCase', (t) => ({
  case: t.field({
    type: CaseType,
    nullable: true,
    description: 'The case after the operation. Null if another operator must approve first.',
    resolve: ({ value }) => value,
  }),
}));
addOperation('returnCase', (t) => ({
  case: t.field({ type: CaseType, description: 'The case after the operation.', resolve: ({ value }) => value }),
}));
