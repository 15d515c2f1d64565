import { dirname, normalize } from 'node:path';
import { commentsOf, headingAnchors, lineOf, proseOf } from './read-text.ts';

/** What references lead to: every path of the repository (files and folders), and the text of a file. */
export interface Repository {
  paths: ReadonlySet<string>;
  read(path: string): string;
}

export interface Source {
  path: string;
  text: string;
}

interface Broken {
  at: number;
  problem: string;
}

const CONTRACT = 'docs/contract/merchant-interface.md';
const DECISIONS = 'docs/contract/decisions.md';

/** Every reference of `source` that leads nowhere, as `path:line: what is wrong. What to do`. */
export function findBrokenReferences(source: Source, repository: Repository): string[] {
  const { path, text } = source;
  const isPage = path.endsWith('.md');
  const prose = isPage ? proseOf(text) : commentsOf(text, path);
  const broken = [
    ...decisions(text, repository),
    ...contractSections(text, repository),
    ...records(text, repository),
    ...pathsOfDocs(text, repository),
    ...(isPage ? links(source, prose, repository) : []),
    ...fileNames(prose, repository, path),
  ];
  const lines = broken.map(({ at, problem }) => `${path}:${lineOf(text, at)}: ${problem}`);
  return [...new Set(lines)].toSorted();
}

/** `decisions 5.3`, `decisions 4, 5.7 and 8`, `decisions 1, 40102`: sections and codes of docs/contract/decisions.md. */
function decisions(text: string, { read }: Repository): Broken[] {
  const page = read(DECISIONS);
  return [...text.matchAll(/\bdecisions (\d+(?:\.\d+)?(?:(?:, | and |, and )\d+(?:\.\d+)?\b)*)/gi)].flatMap((match) =>
    (match[1] ?? '')
      .split(/, and |, | and /)
      .filter(
        (number) =>
          !new RegExp(`^(## )?${number.replace('.', '\\.')}\\.? |^\\| \\d{3} \\| ${number} \\|`, 'm').test(page),
      )
      .map((number) => ({
        at: match.index,
        problem: `${DECISIONS} has no ${number}. Cite a number that the page has, e.g. decisions 5.3`,
      })),
  );
}

/** `contract "Create payin: CN"`: a heading of the contract, or the beginning of several. */
function contractSections(text: string, { read }: Repository): Broken[] {
  const headings = [...read(CONTRACT).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return [...text.matchAll(/\bcontract,? "([^"\n]+)"/gi)]
    .filter(([, cited = '']) => !headings.some((heading) => heading.startsWith(cited)))
    .map(({ 1: cited, index }) => ({
      at: index,
      problem: `${CONTRACT} has no heading "${cited}". Cite a heading, e.g. contract "Create payin: CN"`,
    }));
}

/** `ADR 0005`: a record of docs/adr. */
function records(text: string, { paths }: Repository): Broken[] {
  const numbers = new Set([...paths].flatMap((path) => /^docs\/adr\/(\d{4})-[^/]+\.md$/.exec(path)?.[1] ?? []));
  return [...text.matchAll(/\bADR[ -](\d+)/g)]
    .filter(([, number = '']) => !numbers.has(number))
    .map(({ 1: number, index }) => ({
      at: index,
      problem: `docs/adr has no record ${number}. Cite it by four digits, e.g. ADR 0005`,
    }));
}

/** `docs/running/alerts.md#redisaway`, also in settings and scripts. URLs of the running service begin with a slash. */
function pathsOfDocs(text: string, repository: Repository): Broken[] {
  return [...text.matchAll(/(?<![\w/.{-])docs\/[\w./-]*[\w/](?![\w*<$}{])(#[\w-]+)?/g)].flatMap((match) => {
    const [whole, anchor = ''] = match;
    const path = whole.slice(0, whole.length - anchor.length).replace(/\/$/, '');
    return missing(path, anchor.slice(1), repository).map((problem) => ({ at: match.index, problem }));
  });
}

/** `[text](path#anchor)` and `<img src="path">` of a page; `/docs/…` is an address of the running service. */
function links({ path, text }: Source, prose: string, repository: Repository): Broken[] {
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)];
  return found.flatMap((match) => {
    const target = match[1] ?? match[2] ?? '';
    if (/^[a-z]+:/.test(target)) return [];
    const [to = '', anchor = ''] = target.split('#');
    const problems = to.startsWith('/')
      ? servedPage(to, anchor, repository)
      : to === ''
        ? missingAnchor(text, path, anchor)
        : missing(normalize(`${dirname(path)}/${to}`).replace(/\/$/, ''), anchor, repository);
    return problems.map((problem) => ({ at: match.index, problem }));
  });
}

/** Pages that the REST adapter makes, without a file of their own. */
const MADE_PAGES = new Set(['/docs', '/docs/reference', '/docs/doctor', '/docs/openapi.json']);

function servedPage(address: string, anchor: string, repository: Repository): string[] {
  if (MADE_PAGES.has(address)) return [];
  const path = address.slice(1);
  return missing(path.startsWith('docs/guides/') ? `${path}.md` : path, anchor, repository);
}

function missing(path: string, anchor: string, { paths, read }: Repository): string[] {
  if (!paths.has(path)) return [`there is no ${path}. Name a file or folder that exists`];
  return anchor === '' || !path.endsWith('.md') ? [] : missingAnchor(read(path), path, anchor);
}

function missingAnchor(page: string, path: string, anchor: string): string[] {
  if (headingAnchors(page).has(anchor)) return [];
  return [`${path} has no heading with the anchor #${anchor}. Link to a heading of that page`];
}

/** File names in pages (in backquotes) and in comments: `core/fee.ts` is found by its end, `tests/nightly/` by its beginning. */
function fileNames(prose: string, repository: Repository, from: string): Broken[] {
  const page = from.endsWith('.md');
  const found = page
    ? [...prose.matchAll(/`([\w@<>*./-]+)`/g)]
    : [...prose.matchAll(/(?<![\w@:/.*<{-])([\w<>*-]+(?:\/[\w<>*.-]+)*\.(?:ts|md|mjs|sql))(?![\w/])/g)];
  return found
    .filter(([, name = '']) => looksLikePath(name) && !exists(name, repository))
    .map(({ 1: name, index }) => ({
      at: index,
      problem: `there is no ${name}. Name a file by its path or the end of its path`,
    }));
}

const TOP = /^(packages|tools|tests|scripts|docs|ops)\//;
const looksLikePath = (name: string) => /^[\w@<>*-].*\.(ts|md|mjs|sql)$/.test(name) || TOP.test(name);

function exists(name: string, { paths }: Repository): boolean {
  const path = name.replace(/^\.\//, '').replace(/\/$/, '');
  if (paths.has(path)) return true;
  const pattern = path
    .replaceAll(/[.+]/g, '\\$&')
    .replaceAll('**', '.+')
    .replaceAll(/(?<!\.)\*/g, '[^/]*')
    .replaceAll(/<[^>]+>/g, '[^/]+');
  const end = TOP.test(path) ? `^${pattern}` : `(^|/)${pattern}$`;
  const matches = new RegExp(end);
  for (const one of paths) if (matches.test(one)) return true;
  return false;
}
