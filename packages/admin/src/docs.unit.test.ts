import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AdminCommand } from './command.ts';
import { commands } from './commands/index.ts';

const folder = new URL('../../../docs/running/', import.meta.url);
const page = readFileSync(new URL('../../../docs/operators/command-line.md', import.meta.url), 'utf8');

/** A row of the page's table: command, role, what it does. */
function rowOf({ name, fields, kind, roles, summary }: AdminCommand): string[] {
  const places = Object.values(fields).flatMap(({ flags }) => (flags.startsWith('<') ? [flags] : []));
  const role = ['prepare', 'anonymous', 'local'].includes(kind) ? 'none' : (roles?.join(', ') ?? 'any');
  return [`\`${[name, ...places].join(' ')}\``, role, summary];
}

test('the pages about running the service name only commands that exist', () => {
  const pages = ['alerts', 'incidents', 'leaked-secrets', 'watch', 'capacity'];
  const operations = pages.map((name) => readFileSync(new URL(`${name}.md`, folder), 'utf8')).join('\n');
  const verbs = new Set(commands.map(({ name }) => name.split('-')[0]));
  const named = [...operations.matchAll(/`([a-z]+(?:-[a-z]+)+)(?: [^`]*)?`/g)].map(([, name = '']) => name);
  const commandNames = named.filter((name) => verbs.has(name.split('-')[0]));
  expect(commandNames.length).toBeGreaterThan(20);
  expect(commandNames.filter((name) => !commands.some((command) => command.name === name))).toEqual([]);
});

test('the page about the command line has every command, with its roles and descriptions', () => {
  const rows = page
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows.filter(([command]) => command?.includes('list-')).length).toBeGreaterThan(10);
  expect(rows).toEqual(commands.map(rowOf));
});
