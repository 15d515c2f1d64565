import { readFileSync } from 'node:fs';

const folder = new URL('../../docs/operators/graphql/', import.meta.url);

/** The daily tasks, one page after the other as the table of docs/operators/graphql/README.md lists them. */
export function readPagesInOrder(): string {
  const index = readFileSync(new URL('README.md', folder), 'utf8');
  const table = index.slice(index.indexOf('## Daily tasks'), index.indexOf('## Reference'));
  const pages = [...table.matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name = '']) => name);
  if (pages.length < 10) throw new Error(`docs/operators/graphql/README.md lists ${pages.length} daily tasks`);
  return pages.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
}

/** What the pages of docs/operators/graphql tell their reader to do, in their order. */
export type GuideStep =
  /** A line of a terminal: what follows `npm run merchant --`. */
  | { does: 'merchant'; args: string[] }
  | { does: 'document'; name: string; query: string; variables: object; asSecond: boolean };

const commandLine = /^ {4}npm run merchant -- (.+)$/;
const fence = /^```(\w+)(?: (.+))?$/;

/** Throws for what a reader could not understand either: variables without a document, blocks in another language. */
export function readGuide(text: string): GuideStep[] {
  const steps: GuideStep[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const [, command] = commandLine.exec(lines[at] ?? '') ?? [];
    if (command !== undefined) steps.push({ does: 'merchant', args: command.split(' ') });
    const [, language, info] = fence.exec(lines[at] ?? '') ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at);
    if (end < 0) throw new Error(`line ${at + 1}: this block never ends`);
    take(steps, { language, info, body: `${lines.slice(at + 1, end).join('\n')}\n`, line: at + 1 });
    at = end;
  }
  return steps;
}

interface Block {
  language: string;
  info: string | undefined;
  body: string;
  line: number;
}

function take(steps: GuideStep[], { language, info, body, line }: Block): void {
  if (language === 'graphql') {
    const [, name] = /^(?:query|mutation) (\w+)/m.exec(body) ?? [];
    if (name === undefined) throw new Error(`line ${line}: this document has no name`);
    steps.push({ does: 'document', name, query: body, variables: {}, asSecond: info === 'as the second operator' });
    return;
  }
  if (language !== 'json') throw new Error(`line ${line}: a block of ${language} is neither document nor variables`);
  const variables: object = JSON.parse(body);
  const last = steps.at(-1);
  const named = steps.find((step) => step.does === 'document' && step.name === info);
  // Variables with a document's name are for that one, once more.
  if (named) steps.push({ ...named, variables } as GuideStep);
  else if (info === undefined && last?.does === 'document') last.variables = variables;
  else throw new Error(`line ${line}: variables of no document`);
}
