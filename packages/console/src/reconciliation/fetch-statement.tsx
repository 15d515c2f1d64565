import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { countryNames } from '../format/words.ts';
import { type Country, FetchStatementDocument } from '../generated/documents.generated.ts';
import { showDay } from './day-look.ts';

/** A day of a channel, whose statement the channel offers. */
interface FetchableDay {
  readonly country: Country;
  readonly channelId: string;
  readonly day: string;
}

/** Lets the worker fetch the statement of a day now, also an existing one. */
export function fetchAgain({ country, channelId, day }: FetchableDay, isThere = true): Action {
  return defineAction({
    operation: 'fetchStatement',
    document: FetchStatementDocument,
    label: isThere ? 'Fetch again' : 'Fetch the statement',
    subject: `statement ${channelId} ${day}`,
    before: (
      <Before
        values={{
          Channel: channelId,
          Country: countryNames[country],
          Day: showDay(day, 'dayMonthYear'),
          'The same content again': 'changes nothing',
        }}
      />
    ),
    toInput: () => ({ country, channelId, day }),
    after: ({ formats }) => `It is being fetched: ${formats.join(', ')}. The file appears here by itself.`,
  });
}
