import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { groups } from './line/command.ts';

const folder = new URL('../../../docs/running/', import.meta.url);
const page = readFileSync(new URL('../../../docs/operators/command-line.md', import.meta.url), 'utf8');

test('the pages about running the service name only commands that exist', () => {
  const pages = ['alerts', 'incidents', 'leaked-secrets', 'watch', 'capacity'];
  const operations = pages.map((name) => readFileSync(new URL(`${name}.md`, folder), 'utf8')).join('\n');
  const verbs = new Set(commands.map(({ name }) => name.split('-')[0]));
  const named = [...operations.matchAll(/`([a-z]+(?:-[a-z]+)+)(?: [^`]*)?`/g)].map(([, name = '']) => name);
  const commandNames = named.filter((name) => verbs.has(name.split('-')[0]));
  expect(commandNames.length).toBeGreaterThan(20);
  expect(commandNames.filter((name) => !commands.some((command) => command.name === name))).toEqual([]);
});

test('the page about the command line has every command, by the headings of --help', () => {
  const rows = [...page.matchAll(/^\| (.+?) \| (`[a-z-]+`(?: `[a-z-]+`)*) \|$/gm)].map(([, group, names = '']) => [
    group,
    names.replaceAll('`', '').split(' '),
  ]);
  const expected = groups.map((group) => [
    group,
    commands.filter((command) => command.group === group).map(({ name }) => name),
  ]);
  expect(rows).toEqual(expected);
});
