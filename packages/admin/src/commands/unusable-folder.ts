import { refused } from '../line/answer.ts';
import { fileProblem } from '../line/file-problem.ts';

/** The answer to an error of reading or writing a folder. Throws any other error again. */
export function unusableFolder(folder: string, error: unknown): ReturnType<typeof refused> {
  const problem = fileProblem(error);
  if (problem === null) throw error;
  return refused(`${folder} cannot be used: ${problem}`);
}
