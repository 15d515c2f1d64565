import { type Action, type ActionField, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import { listRoles, operationNamed } from '../actions/operation.ts';
import {
  RemoveSettlementCycleDocument,
  SetSettlementCycleDocument,
  type SettlementCycleDetailQuery,
} from '../generated/documents.generated.ts';
import { maskedAccount } from '../parts/bank-account.tsx';
import { type CycleDetail, changedCycle, shownCycle } from './cycle-changes.ts';
import { AccountField, WeekdayField } from './cycle-fields.tsx';

/** The subject of audit records and approvals about a cycle. */
export const cycleSubject = 'settlement cycle';

type Merchant = NonNullable<SettlementCycleDetailQuery['merchant']>;

/** Sets the first cycle of a merchant, with its bank account. */
export function firstCycle(merchant: Merchant): Action {
  return setCycle(merchant, null, 'Set the cycle', [...settingFields(merchant, null), accountField]);
}

/** What can be changed about a cycle. */
export function cycleActions(merchant: Merchant, cycle: CycleDetail): Action[] {
  return [
    setCycle(merchant, cycle, 'Change the cycle', settingFields(merchant, cycle)),
    setCycle(merchant, cycle, 'Change the bank account', [accountField]),
    removeCycle(merchant, cycle),
  ];
}

function settingFields({ wallet: { currency } }: Merchant, now: CycleDetail | null): ActionField[] {
  const shown = shownCycle(now);
  return [
    { name: 'workingDays', label: 'Working days until a day is settled', initial: shown.workingDays },
    {
      name: 'weekdays',
      label: 'Weekdays',
      kind: 'custom',
      initial: shown.weekdays,
      render: (field) => <WeekdayField {...field} />,
    },
    { name: 'minimum', label: `Minimum (${currency})`, initial: shown.minimum },
    { name: 'keep', label: `Stays in the wallet (${currency})`, initial: shown.keep },
    { name: 'beginsOn', label: 'Begins on', initial: shown.beginsOn, placeholder: '2026-11-23' },
  ];
}

const accountField: ActionField = {
  name: 'account',
  label: 'Bank account',
  kind: 'custom',
  render: (field) => <AccountField {...field} />,
};

function setCycle(merchant: Merchant, now: CycleDetail | null, label: string, fields: ActionField[]): Action {
  const { merchantId, name } = merchant;
  return defineAction({
    operation: 'setSettlementCycle',
    document: SetSettlementCycleDocument,
    label,
    subject: cycleSubject,
    before: (
      <Before
        values={{
          Merchant: name,
          Number: <span className="mono">{merchantId}</span>,
          'Bank account': maskedAccount(now?.account ?? null),
          'Approved settlements': 'keep their amount and account',
          'Second operator': `Needed: another operator with the role ${listRoles(operationNamed('setSettlementCycle').roles)}`,
        }}
      />
    ),
    fields,
    expectedVersion: now?.version ?? 'new',
    toInput: (typed) => ({ merchantId, ...changedCycle(now, typed) }),
    after: () => 'The cycle is set. The next run uses it.',
    blocked: now && blockedBy(now.actions, 'SET_SETTLEMENT_CYCLE'),
  });
}

function removeCycle({ merchantId, name }: Merchant, now: CycleDetail): Action {
  return defineAction({
    operation: 'removeSettlementCycle',
    document: RemoveSettlementCycleDocument,
    label: 'End the settlements',
    isDangerous: true,
    subject: cycleSubject,
    before: (
      <Before
        values={{ Merchant: name, 'Approved settlements': 'go on', Drafts: 'stay, and are not computed again' }}
      />
    ),
    expectedVersion: now.version,
    toInput: () => ({ merchantId }),
    after: () => 'The merchant is not settled any more.',
    blocked: blockedBy(now.actions, 'REMOVE_SETTLEMENT_CYCLE'),
  });
}
