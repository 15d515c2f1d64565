import { Button } from '@mantine/core';
import { useState } from 'react';
import { saveFile } from '../session/send-file.ts';

/** The time limit of a download, long enough for half a gigabyte. */
const DOWNLOAD_MS = 600_000;

/** Saves a file of the API under a name. The button shows what went wrong next to it. */
export function DownloadButton({ path, name }: { path: string; name: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    setIsBusy(true);
    setProblem(await saveFile(path, name, DOWNLOAD_MS));
    setIsBusy(false);
  };
  return (
    <>
      <Button variant="light" size="compact-xs" loading={isBusy} onClick={() => void save()}>
        Download
      </Button>
      {problem !== null && <span className="soft">{problem}</span>}
    </>
  );
}
