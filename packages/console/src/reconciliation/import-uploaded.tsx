import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { countryNames } from '../format/words.ts';
import {
  ImportStatementDocument,
  type StatementChoicesQuery,
  type StatementRowFragment,
} from '../generated/documents.generated.ts';

/** Channels and formats to choose from. */
export function choicesOf(choices: StatementChoicesQuery | null): { channels: string[]; formats: string[] } {
  return {
    channels: choices?.channels?.edges.map(({ node }) => node.channelId) ?? [],
    formats: [...(choices?.statementFormats ?? [])].toSorted(),
  };
}

/** Imports a file that was uploaded, for example by a program, and that is not imported yet. */
export function importUploaded(
  { country, fileNo, name }: StatementRowFragment,
  choices: StatementChoicesQuery | null,
): Action {
  const { channels, formats } = choicesOf(choices);
  return defineAction({
    operation: 'importStatement',
    document: ImportStatementDocument,
    label: 'Import',
    subject: `statement ${fileNo}`,
    before: <Before values={{ File: `${name}, no. ${fileNo}`, Country: countryNames[country] }} />,
    fields: [
      { name: 'channelId', label: 'Channel', kind: 'choice', options: channels.map(toOption) },
      { name: 'format', label: 'Format', kind: 'choice', options: formats.map(toOption) },
    ],
    toInput: ({ channelId = '', format = '' }) => ({ country, channelId, format, fileNo }),
    after: ({ isRepeat }) =>
      isRepeat ? 'The same content was imported before. Nothing has changed.' : 'The file is being imported.',
  });
}

const toOption = (value: string) => ({ value, label: value });
