import { type Action, type ActionValues, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { countryNames, orderKindWords } from '../format/words.ts';
import { type AdapterPartsFragment, SetChannelDocument } from '../generated/documents.generated.ts';
import { Copyable } from '../parts/copyable.tsx';
import { newChannel } from './channel-changes.ts';
import { CredentialFields } from './credential-fields.tsx';
import { declarationFields } from './declaration-fields.ts';

/** Makes a channel of one of the adapters that are installed. */
export function addChannel(adapters: readonly AdapterPartsFragment[]): Action {
  const chosen = ({ adapter }: ActionValues) => adapters.find(({ name }) => name === adapter);
  const hasApi = (values: ActionValues) => chosen(values)?.hasApi ?? false;
  return defineAction({
    operation: 'setChannel',
    document: SetChannelDocument,
    label: 'Add a channel',
    subject: 'channel',
    before: (values) => <WhatItCarries adapter={chosen(values)} />,
    fields: [
      { name: 'channelId', label: 'Channel', placeholder: 'acme-in' },
      {
        name: 'adapter',
        label: 'Adapter',
        kind: 'choice',
        options: adapters.map(({ name, title }) => ({ value: name, label: title })),
      },
      { name: 'baseUrl', label: 'URL', placeholder: 'https://', isShown: hasApi },
      { name: 'payinExpirySeconds', label: 'A payin expires after, in seconds' },
      ...declarationFields,
      {
        name: 'credentials',
        label: 'Credentials',
        kind: 'custom',
        isShown: hasApi,
        render: (field) => <CredentialFields fields={chosen(field.values)?.fields ?? []} known={[]} {...field} />,
      },
    ],
    // A channel that another operator made meanwhile is not overwritten.
    expectedVersion: 'new',
    toInput: (values) => newChannel(values, hasApi(values)),
    after: () => 'The channel exists. Orders go to it once a route leads to it.',
  });
}

function WhatItCarries({ adapter }: { adapter: AdapterPartsFragment | undefined }) {
  if (!adapter) return null;
  const { carries, liveBaseUrl, testBaseUrl } = adapter;
  const orders = carries.map(({ country, kind }) => `${countryNames[country]}: ${orderKindWords[kind].label}`);
  return (
    <Before
      values={{
        Carries: orders.length > 0 ? orders.join(', ') : 'what its routes send',
        ...(liveBaseUrl && { 'URL for real money': <Copyable text={liveBaseUrl} what="URL" /> }),
        ...(testBaseUrl &&
          testBaseUrl !== liveBaseUrl && { 'URL for tests': <Copyable text={testBaseUrl} what="URL" /> }),
      }}
    />
  );
}
