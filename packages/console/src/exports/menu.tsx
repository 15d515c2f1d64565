import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { sendMutation } from '../actions/send-mutation.ts';
import {
  type ExportFormat,
  type ExportPartsFragment,
  ExportStateDocument,
  RequestExportDocument,
  type RequestExportInput,
} from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { CancelButton } from './buttons.tsx';
import { exportStateWords, isOpen, progressOf } from './words.ts';

const FORMATS: Readonly<Record<ExportFormat, string>> = { CSV: 'CSV', XLSX: 'Excel', HTML: 'Page for print' };
const POLL_MS = 1_000;

interface ExportMenuProps {
  /** The kind and filter of the export. */
  what: Omit<RequestExportInput, 'format'>;
  formats: readonly ExportFormat[];
}

/** Requests an export, shows how far it is, and downloads it when it is ready. */
export function ExportMenu({ what, formats }: ExportMenuProps) {
  const client = useClient();
  const [requested, setRequested] = useState<ExportPartsFragment | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const request = async (format: ExportFormat) => {
    setProblem(null);
    const sent = await sendMutation(client, RequestExportDocument, { input: { ...what, format } });
    if (sent.state === 'refused') setProblem(sent.message);
    if (sent.state === 'done') setRequested(sent.result as ExportPartsFragment);
  };
  return (
    <>
      {problem !== null && (
        <span className="soft" role="status">
          {problem}
        </span>
      )}
      {requested && <RequestedExport key={requested.id} requested={requested} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="download" />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {formats.map((format) => (
            <Menu.Item key={format} onClick={() => void request(format)}>
              {FORMATS[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** An export that was requested on this page. */
function RequestedExport({ requested }: { requested: ExportPartsFragment }) {
  const [{ data }, read] = useQuery({ query: ExportStateDocument, variables: { id: requested.id } });
  const now = data?.node?.__typename === 'Export' ? data.node : requested;
  const refresh = () => read({ requestPolicy: 'network-only' });
  usePoll(refresh, isOpen(now) ? POLL_MS : null);
  return (
    <span role="status">
      <Status word={exportStateWords[now.state]} />{' '}
      {isOpen(now) && (
        <>
          <span className="soft">{progressOf(now)}</span> <CancelButton row={now} refresh={refresh} />
        </>
      )}
      {now.failure !== null && <span className="soft">{now.failure}</span>}
      {now.path !== null && <DownloadButton path={now.path} name={now.name} />}{' '}
      <ScreenLink to="/exports">All exports</ScreenLink>
    </span>
  );
}
