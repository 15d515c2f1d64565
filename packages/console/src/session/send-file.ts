import { CONSOLE_HEADER } from './session.ts';

/** The API takes no larger file. */
const LARGEST_FILE = 2 * 1024 * 1024;

/** Files that the API takes, as a file field names them. */
export const FILE_TYPES = 'application/pdf,image/png,image/jpeg';

const TIMEOUT_MS = 60_000;

/** Uploads a file about an order or a case. Null: it is stored; else what was wrong. */
export async function uploadFile(on: string, file: File): Promise<string | null> {
  if (file.size > LARGEST_FILE) return 'The file is larger than 2 MB.';
  const query = new URLSearchParams({ on, name: file.name.slice(-100) });
  try {
    const response = await fetch(`/files?${query}`, {
      method: 'POST',
      headers: { ...CONSOLE_HEADER, 'content-type': 'application/octet-stream' },
      body: file,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? null : await problemOf(response);
  } catch {
    return 'The file could not be sent. Check your network and try again.';
  }
}

/** Downloads a file and saves it under its name. Null: it is saved; else what was wrong. */
export async function saveFile(path: string, name: string, timeoutMs = TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(path, { headers: { ...CONSOLE_HEADER }, signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) return await problemOf(response);
    const url = URL.createObjectURL(await response.blob());
    const link = window.document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    return null;
  } catch {
    return 'The file could not be read. Check your network and try again.';
  }
}

async function problemOf(response: Response): Promise<string> {
  try {
    const { errors } = (await response.json()) as { errors?: { message?: string }[] };
    const message = errors?.[0]?.message;
    if (message !== undefined) return message;
  } catch {
    // No JSON came.
  }
  return `The service answered with an error (${response.status}).`;
}
