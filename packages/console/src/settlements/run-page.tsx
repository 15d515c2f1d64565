import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { operationNamed, useWhyNot } from '../actions/operation.ts';
import { countryNames } from '../format/words.ts';
import type { Country } from '../generated/documents.generated.ts';
import { Notice } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { showDay } from '../reconciliation/day-look.ts';
import { useOwnCountries } from '../session/use-me.ts';
import styles from './settlements.module.css';
import { type Run, useRun } from './use-run.ts';

/** Computes the settlements of a country that are due on a day. A draft moves no money, so it can be repeated. */
export function RunPage() {
  const whyNot = useWhyNot()('draftSettlements');
  return <Page title="Draft settlements">{whyNot === null ? <RunForm /> : <Notice tone="bad">{whyNot}</Notice>}</Page>;
}

function RunForm() {
  const own = useOwnCountries();
  const [country, setCountry] = useState(own[0] ?? '');
  const [day, setDay] = useState('');
  const [reason, setReason] = useState('');
  const { run, start } = useRun();
  const { summary, fields } = operationNamed('draftSettlements');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (run.at !== 'running') void start(country as Country, day, reason.trim());
  };
  return (
    <>
      <Panel>
        <form className={styles.form} onSubmit={submit}>
          <p className="soft">{summary}</p>
          <NativeSelect
            label="Country"
            description={fields.country?.help}
            required
            value={country}
            data={own.map((value) => ({ value, label: countryNames[value] ?? value }))}
            onChange={({ currentTarget }) => setCountry(currentTarget.value)}
          />
          <TextInput
            label="Day"
            description={fields.day?.help}
            type="date"
            value={day}
            error={run.fields.day}
            onChange={({ currentTarget }) => setDay(currentTarget.value)}
          />
          <Textarea
            label="Reason"
            description="Kept in the audit log."
            required
            rows={2}
            maxLength={500}
            value={reason}
            error={run.fields.reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <div>
            <Button type="submit" loading={run.at === 'running'}>
              Draft settlements
            </Button>
          </div>
        </form>
      </Panel>
      <Outcome run={run} />
    </>
  );
}

function Outcome({ run: { at, country, day, drafted, failed, skipped, problem } }: { run: Run }) {
  const count = `${drafted} ${drafted === 1 ? 'settlement is' : 'settlements are'} drafted`;
  if (at === 'asked') return null;
  return (
    <>
      {at === 'running' && <Notice tone="info">{`The run goes on: ${count} so far.`}</Notice>}
      {at === 'done' && (
        <Notice tone="good">
          {`${count} for ${countryNames[country ?? '']}, in the run of ${showDay(day ?? '', 'dayMonthYear')}. `}
          <ScreenLink to="/settlements" search={{ view: 'drafts' }}>
            See the drafts
          </ScreenLink>
        </Notice>
      )}
      {at === 'refused' && <Notice tone="bad">{drafted === 0 ? problem : `${count}. Then: ${problem}`}</Notice>}
      <Merchants title="Could not be computed" merchants={failed}>
        The log says why. Run it again when the cause is fixed.
      </Merchants>
      <Merchants title="Holidays are not known" merchants={skipped}>
        Their working days reach into a year whose holidays are missing.
      </Merchants>
    </>
  );
}

interface MerchantsProps {
  title: string;
  merchants: readonly string[];
  children: string;
}

function Merchants({ title, merchants, children }: MerchantsProps) {
  if (merchants.length === 0) return null;
  return (
    <Panel title={title}>
      <p>{children}</p>
      <ul className={styles.failed}>
        {merchants.map((merchantId) => (
          <li key={merchantId}>
            <ScreenLink to={`/settlements/cycles/${merchantId}`}>
              <span className="mono">{merchantId}</span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
