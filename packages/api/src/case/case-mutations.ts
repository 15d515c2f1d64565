import { addOperation, addOperationForTwo } from '../operation/operation-field.ts';
import { CaseType } from './case-type.ts';

addOperationForTwo('creditCase', (t) => ({
  case: t.field({
    type: CaseType,
    nullable: true,
    description: 'The case as it is then; null where another operator has to approve first.',
    resolve: ({ value }) => value,
  }),
}));
addOperation('returnCase', (t) => ({
  case: t.field({ type: CaseType, description: 'The case as it is then.', resolve: ({ value }) => value }),
}));
