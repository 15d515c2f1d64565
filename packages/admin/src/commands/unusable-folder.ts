import { refused } from '../answer.ts';

/** The answer to an error of reading or writing a folder. Throws any other error again. */
export function unusableFolder(folder: string, error: unknown): ReturnType<typeof refused> {
  const { code, path } = error as NodeJS.ErrnoException;
  if (path === undefined) throw error;
  return refused(`${folder} cannot be used: ${code ?? 'an error'}`);
}
