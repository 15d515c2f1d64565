import { Button } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { sendMutation } from '../actions/send-mutation.ts';
import { CancelExportDocument, type ExportPartsFragment } from '../generated/documents.generated.ts';
import { isOpen } from './words.ts';

/** Cancels an export that is not written yet, or deletes the file of one that is ready. */
export function CancelButton({ row, refresh }: { row: ExportPartsFragment; refresh(): void }) {
  const client = useClient();
  const [problem, setProblem] = useState<string | null>(null);
  const cancel = async () => {
    const sent = await sendMutation(client, CancelExportDocument, { exportId: row.exportId });
    setProblem(sent.state === 'refused' ? sent.message : null);
    refresh();
  };
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={() => void cancel()}>
        {isOpen(row) ? 'Cancel' : 'Delete'}
      </Button>
      {problem !== null && <span className="soft">{problem}</span>}
    </>
  );
}
