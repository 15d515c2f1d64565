import { addOperation, addOperationForTwo } from '../approval/operation-field.ts';
import { cycleOf, SettlementCycleType, SettlementType } from './settlement-type.ts';

addOperationForTwo('setSettlementCycle', (t) => ({
  cycle: t.field({
    type: SettlementCycleType,
    nullable: true,
    description: 'The cycle after the operation. Null if another operator must approve first.',
    resolve: ({ value }) => value,
  }),
}));

addOperation('removeSettlementCycle', (t) => ({
  cycle: t.field({
    type: SettlementCycleType,
    nullable: true,
    description: 'Null, unless a cycle was set again meanwhile.',
    resolve: ({ value }, _args, context) => cycleOf(context, value.merchantId),
  }),
}));

addOperation('draftSettlements', (t) => ({
  day: t.string({ description: 'Day of the run.', resolve: ({ value }) => value.day }),
  settlementNos: t.stringList({
    description: 'Numbers of the settlements that were drafted now, or existed already.',
    resolve: ({ value }) => value.settlementNos,
  }),
  failed: t.stringList({
    description: 'Merchants whose draft could not be computed now.',
    resolve: ({ value }) => value.failed,
  }),
  skipped: t.stringList({
    description: 'Merchants whose working days reach into a year with unknown holidays.',
    resolve: ({ value }) => value.skipped,
  }),
  nextAfter: t.string({
    nullable: true,
    description: 'Send this as `after` to go on. Null: all merchants are done.',
    resolve: ({ value }) => value.nextAfter,
  }),
}));

for (const name of ['paySettlement', 'sendSettlement'] as const)
  addOperation(name, (t) => ({
    settlement: t.field({
      type: SettlementType,
      description: 'The settlement after the operation.',
      resolve: ({ value }) => value,
    }),
  }));

for (const name of ['approveSettlement', 'confirmSettlement', 'failSettlement'] as const)
  addOperationForTwo(name, (t) => ({
    settlement: t.field({
      type: SettlementType,
      nullable: true,
      description: 'The settlement after the operation. Null if another operator must approve first.',
      resolve: ({ value }) => value,
    }),
  }));
