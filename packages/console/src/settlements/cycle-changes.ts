import type { ActionValues } from '../actions/action.ts';
import type { SetSettlementCycleInput, SettlementCycleDetailQuery, Weekday } from '../generated/documents.generated.ts';
import { weekdayWords } from './settlement-words.ts';

/** A cycle as its page reads it. */
export type CycleDetail = NonNullable<SettlementCycleDetailQuery['settlementCycle']>;

type Shown = Pick<CycleDetail, 'workingDays' | 'weekdays' | 'minimum' | 'keep' | 'beginsOn'>;

/** What the fields of a cycle have at first. Without a cycle: what the API takes by default. */
export function shownCycle(now: Shown | null): Record<keyof Shown, string> {
  if (now === null)
    return { workingDays: '1', weekdays: 'MON,TUE,WED,THU,FRI', minimum: '0.00', keep: '0.00', beginsOn: '' };
  const { workingDays, weekdays, minimum, keep, beginsOn } = now;
  return { workingDays: String(workingDays), weekdays: weekdays.join(), minimum, keep, beginsOn };
}

/** Weekdays of a field, as `MON,THU`, in the order of the week. */
export function readWeekdays(value: string): Weekday[] {
  const chosen = new Set(value.split(','));
  return (Object.keys(weekdayWords) as Weekday[]).filter((day) => chosen.has(day));
}

/** The settings that were changed in a dialog, and a new bank account if one was typed. Others are not sent, and stay. */
export function changedCycle(now: Shown | null, typed: ActionValues): Omit<SetSettlementCycleInput, 'merchantId'> {
  const was = now === null ? null : shownCycle(now);
  const changed = (name: keyof Shown) => {
    const value = typed[name]?.trim() ?? '';
    return value === '' || value === was?.[name] ? null : value;
  };
  const [workingDays, weekdays] = [changed('workingDays'), changed('weekdays')];
  const texts = (['minimum', 'keep', 'beginsOn'] as const).map((name) => [name, changed(name)] as const);
  const account = readAccount(typed.account ?? '');
  return {
    ...(workingDays !== null && { workingDays: Number(workingDays) }),
    ...(weekdays !== null && { weekdays: readWeekdays(weekdays) }),
    ...Object.fromEntries(texts.filter(([, value]) => value !== null)),
    ...(account && { account }),
  };
}

/** Parts of a bank account. */
export const accountParts = ['holder', 'number', 'bank'] as const;

/** A typed bank account, as JSON text in its field. Null: none was typed. */
export function readAccount(value: string): Record<(typeof accountParts)[number], string> | null {
  if (value === '') return null;
  const { holder = '', number = '', bank = '' } = JSON.parse(value) as Record<string, string | undefined>;
  const typed = { holder: holder.trim(), number: number.trim(), bank: bank.trim() };
  return Object.values(typed).some((part) => part !== '') ? typed : null;
}
