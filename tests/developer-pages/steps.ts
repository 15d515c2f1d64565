import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * What a block of a developers' page says to do.
 *
 * - `file` is a new file
 * - `append` goes to the end of a file
 * - `diff` changes lines of a file
 * - `run` is carried out
 * - `check` is for the reader (and the test) to run at the end
 */
export interface Step {
  does: 'file' | 'append' | 'diff' | 'run' | 'check';
  path: string;
  body: string;
}

const exec = promisify(execFile);

/** Blocks without a word after their language are examples and are not carried out. */
export function readSteps(page: string): Step[] {
  return [...page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)].map(([, language = '', info = '', body = '']) => {
    const [word = '', path = ''] = info.split('=');
    if (language === 'sh' && (word === 'run' || word === 'check')) return { does: word, path: '', body };
    if (language === 'diff' && word === 'file') return { does: 'diff', path, body };
    if (word === 'file' || word === 'append') return { does: word, path, body };
    throw new Error(`a block of ${language} says ${info}, which is no step`);
  });
}

/** The arguments after `prefix` in the check commands of the pages. */
export function commandsOf(steps: readonly Step[], prefix: string): string[] {
  const lines = steps.filter(({ does }) => does === 'check').flatMap(({ body }) => body.trim().split('\n'));
  return lines.flatMap((line) => (line.startsWith(prefix) ? [line.slice(prefix.length).trim()] : []));
}

export async function applySteps(root: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await apply(root, step);
}

async function apply(root: string, { does, path, body }: Step): Promise<void> {
  const file = join(root, path);
  if (does === 'file') {
    if (existsSync(file)) throw new Error(`${path} is a new file of a page, and exists`);
    writeFileSync(file, body);
  }
  if (does === 'append') writeFileSync(file, `${readFileSync(file, 'utf8')}\n${body}`);
  if (does === 'diff') writeFileSync(file, patched(readFileSync(file, 'utf8'), body, path));
  if (does === 'run') for (const line of body.trim().split('\n')) await runLine(root, line);
}

/** `-` lines and lines that begin with a blank must be in the file exactly once; `+` lines are added. */
function patched(text: string, diff: string, path: string): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const side = (without: string) => lines.filter((line) => !line.startsWith(without)).map((line) => line.slice(1));
  const [before, after] = [side('+').join('\n'), side('-').join('\n')];
  const places = text.split(before).length - 1;
  if (places !== 1) throw new Error(`${path} has these lines ${places} times, not once:\n${before}`);
  return text.replace(before, () => after);
}

/** A package's script runs with this Node, without pnpm. */
async function runLine(root: string, line: string): Promise<void> {
  const [, name, script = ''] = /^npx --yes pnpm --filter @tidegate\/([\w-]+) run (\w+)$/.exec(line) ?? [];
  if (name === undefined) return void (await exec('bash', ['-c', line], { cwd: root }));
  const cwd = join(root, 'packages', name);
  const command: string = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')).scripts[script];
  await exec(process.execPath, command.split(' ').slice(1), { cwd });
}
