import { Checkbox, TextInput } from '@mantine/core';
import type { CustomField } from '../actions/action.ts';
import { accountParts, readAccount, readWeekdays } from './cycle-changes.ts';
import { weekdayWords } from './settlement-words.ts';
import styles from './settlements.module.css';

/** Chooses the weekdays of a run. */
export function WeekdayField({ value, problem, change }: CustomField) {
  const chosen: readonly string[] = readWeekdays(value);
  return (
    <Checkbox.Group
      label="Weekdays"
      description="On a holiday it runs on the next working day."
      error={problem}
      value={[...chosen]}
      onChange={(days) => change(days.join())}
    >
      <div className={styles.weekdays}>
        {Object.entries(weekdayWords).map(([day, label]) => (
          <Checkbox key={day} value={day} label={label} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

const LABELS = { holder: 'Holder', number: 'Account number or IBAN', bank: 'Code of the bank, such as its BIC' };

const OF_MERCHANT = 'Stored sealed. The second operator compares the end of the number with the contract.';

/** The parts of a new bank account. What is stored is never filled in. `hint` says what becomes of it. */
export function AccountField({
  value,
  problem,
  problems,
  change,
  hint = OF_MERCHANT,
}: CustomField & { hint?: string }) {
  const typed = readAccount(value) ?? { holder: '', number: '', bank: '' };
  const stored = value === '' ? {} : (JSON.parse(value) as Partial<typeof typed>);
  return (
    <fieldset className={styles.account}>
      <legend>Bank account</legend>
      <p className="soft">{hint}</p>
      {accountParts.map((part) => (
        <TextInput
          key={part}
          label={LABELS[part]}
          autoComplete="off"
          value={stored[part] ?? ''}
          error={problems[part]}
          onChange={({ currentTarget }) => change(JSON.stringify({ ...stored, [part]: currentTarget.value }))}
        />
      ))}
      {problem !== undefined && <p role="alert" className={styles.problem}>{`The bank account ${problem}.`}</p>}
    </fieldset>
  );
}
