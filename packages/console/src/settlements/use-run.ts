import { useState } from 'react';
import { useClient } from 'urql';
import { sendMutation } from '../actions/send-mutation.ts';
import { asSentence } from '../format/words.ts';
import {
  type Country,
  DraftSettlementsDocument,
  type DraftSettlementsInput,
} from '../generated/documents.generated.ts';

/** How far a run is. One call takes 200 merchants, so a run may need several. */
export interface Run {
  readonly at: 'asked' | 'running' | 'refused' | 'done';
  readonly country: Country | null;
  /** Day of the run, in the time zone of the country. */
  readonly day: string | null;
  readonly drafted: number;
  /** Merchants whose draft could not be computed. */
  readonly failed: readonly string[];
  /** Merchants whose holidays are not known. */
  readonly skipped: readonly string[];
  readonly problem: string | null;
  /** What is wrong with a field. */
  readonly fields: Readonly<Record<string, string>>;
}

const ASKED: Run = {
  at: 'asked',
  country: null,
  day: null,
  drafted: 0,
  failed: [],
  skipped: [],
  problem: null,
  fields: {},
};

/** Drafts the settlements of a country, call after call until all merchants are done. */
export function useRun(): { run: Run; start(country: Country, day: string, reason: string): Promise<void> } {
  const client = useClient();
  const [run, setRun] = useState(ASKED);
  const start = async (country: Country, day: string, reason: string) => {
    let now: Run = { ...ASKED, at: 'running', country };
    setRun(now);
    let after: string | null = null;
    do {
      const input: DraftSettlementsInput = { country, ...(day !== '' && { day }), ...(after !== null && { after }) };
      const sent = await sendMutation(client, DraftSettlementsDocument, { input, reason });
      if (sent.state !== 'done') {
        const { message, fields } = sent.state === 'refused' ? sent : { message: 'this needs an approval', fields: {} };
        return setRun({ ...now, at: 'refused', problem: asSentence(message), fields });
      }
      const { settlementNos, failed, skipped, nextAfter } = sent.result;
      const drafted = now.drafted + settlementNos.length;
      now = {
        ...now,
        day: sent.result.day,
        drafted,
        failed: [...now.failed, ...failed],
        skipped: [...now.skipped, ...skipped],
      };
      after = nextAfter;
      setRun({ ...now, at: after === null ? 'done' : 'running' });
    } while (after !== null);
  };
  return { run, start };
}
