import { errorInWords } from '@tidegate/domain';
import { fileProblem } from './file-problem.ts';
import { InputProblem } from './who-acts.ts';
import { exitCodes, type World } from './world.ts';

/** The only place that turns an error into words for the person at the command line, and into an exit code. */
export function explainError(
  error: unknown,
  { keepDetails }: Pick<World, 'keepDetails'>,
): [code: number, text: string] {
  if (error instanceof InputProblem) return [exitCodes.usage, error.message];
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  const problem = fileProblem(error);
  if (problem !== null && path !== undefined) return [exitCodes.refused, `${path} cannot be used: ${problem}`];
  const { kind, text } = errorInWords(error);
  if (kind !== 'unexpected') return [kind === 'refused' ? exitCodes.refused : exitCodes.unavailable, text];
  const file = keepDetails(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const details = file === null ? '' : ` Details for developers are in ${file}`;
  return [exitCodes.unavailable, `${text}. Look what was done before you repeat it.${details}`];
}
