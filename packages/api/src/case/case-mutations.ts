import { addOperationForTwo } from '../approval/operation-field.ts';
import { CaseType } from './case-type.ts';

for (const name of ['creditCase', 'returnCase', 'chargeCase', 'writeOffCase', 'resolveRefund'] as const)
  addOperationForTwo(name, (t) => ({
    case: t.field({
      type: CaseType,
      nullable: true,
      description: 'The case after the operation. Null if another operator must approve first.',
      resolve: ({ value }) => value,
    }),
  }));
