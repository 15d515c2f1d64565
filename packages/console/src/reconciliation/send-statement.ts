import { CONSOLE_HEADER } from '../session/session.ts';

/** The API takes no larger file. Larger ones come by the command line. */
const LARGEST = 64 * 1024 * 1024;
const MAX_NAME = 100;

/** The number of an uploaded statement, or what was wrong. */
type Uploaded = { fileNo: number } | { problem: string };

/** Uploads a statement of a country. `progress`: the share that was sent, from 0 to 1. */
export function uploadStatement(country: string, file: File, progress: (share: number) => void): Promise<Uploaded> {
  if (file.size === 0) return Promise.resolve({ problem: 'The file is empty.' });
  if (file.size > LARGEST)
    return Promise.resolve({ problem: 'The file is larger than 64 MiB. Import it on the command line.' });
  const query = new URLSearchParams({ country, name: file.name.slice(-MAX_NAME) });
  return new Promise((resolve) => {
    // fetch does not say how much was sent.
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
    request.onload = () => resolve(readAnswer(request.status, request.responseText));
    request.onerror = () => resolve({ problem: 'The file could not be sent. Check your network and try again.' });
    request.open('POST', `/statements?${query}`);
    for (const [name, value] of Object.entries(CONSOLE_HEADER)) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  });
}

/** Reads the answer of the API. */
function readAnswer(status: number, text: string): Uploaded {
  try {
    const { statement, errors } = JSON.parse(text) as {
      statement?: { fileNo?: unknown };
      errors?: { message?: string }[];
    };
    if (status === 201 && typeof statement?.fileNo === 'number') return { fileNo: statement.fileNo };
    const message = errors?.[0]?.message;
    if (message !== undefined) return { problem: message };
  } catch {
    // No JSON came.
  }
  return { problem: `The service answered with an error (${status}).` };
}
