import type { SourceFacts } from './source-facts.ts';

/** The packages of running processes. */
const RUNNING =
  /^packages\/(?:domain|queue|process|rest-adapter|api|worker|admin|upstream|statements|settings)\/src\/(?!testing\/|[a-z-]+\/testing\/)/;

/** The mechanisms themselves. */
const MECHANISMS: Readonly<Record<string, readonly string[]>> = {
  'JSON.parse': ['packages/domain/src/boundary/read-json.ts'],
  "on('message')": [],
  setInterval: ['packages/domain/src/boundary/guarded.ts', 'packages/domain/src/boundary/boundary.ts'],
};

const ADVICE: Readonly<Record<string, string>> = {
  'JSON.parse': 'read it with readJson or readTextColumn of packages/domain/src/boundary: a limit, then a schema',
  "on('message')":
    'make its handler with guarded of packages/domain/src/boundary: an exception in it would end the process',
  setInterval: 'use every of packages/domain/src/boundary: an exception in it would end the process',
};

/** Files that call JSON.parse themselves, and why they may. A line that is not needed any more is a violation. */
const PARSING: Readonly<Record<string, string>> = {
  'packages/domain/src/core/period-seal.ts': 'core is pure, and the text is signed by us and verified before',
  'packages/domain/src/database/restore-rows.ts': 'PostgreSQL reads the rows by the types of their columns',
  'packages/statements/src/reading/json-items.ts': 'takes items out of a stream, which a schema reads',
  'packages/statements/src/reading/json-rows.ts': 'the bytes of an item are limited, and a schema reads it',
  'packages/upstream/src/provider/http-client.ts': 'the body of an answer is limited, and each adapter has a schema',
  'packages/upstream/src/sandbox/client.ts': 'the body is limited, and a schema reads it',
  'packages/upstream/src/alipay/gateway.ts': 'the node of a limited and verified answer, read by a schema',
  'packages/upstream/src/alipay/signing.ts': 'the same',
  'packages/upstream/src/jazzcash/wire.ts': 'a limited body, read field by field',
  'packages/upstream/src/jazzcash/late-answer.ts': 'read by a schema at once',
  'packages/upstream/src/opn/callback.ts': 'the body of a callback is limited, and a schema reads it',
  'packages/upstream/src/razorpay/callback.ts': 'the same',
  'packages/upstream/src/fakes/main.ts': 'a fake of a provider, for tests and the sandbox',
  'packages/api/src/graphql/persisted-operations.ts': 'a file of the operator, read once at the start',
  'packages/api/src/board/session.ts': 'sealed by this process',
  'packages/api/src/console/oidc-routes.ts': 'sealed by this process',
  'packages/api/src/board/board-routes.ts': 'the body of a request, limited by fastify, which answers an exception',
  'packages/api/src/console/console-routes.ts': 'the same',
  'packages/api/src/work/file-id.ts': 'an id of a limited length, checked part by part',
  'packages/admin/src/line/settings.ts': 'read by a schema at once',
  'packages/admin/src/line/read-archive.ts': 'a file that the operator names',
  'packages/admin/src/operations/change.ts': 'input of the operator at the command line',
  'packages/admin/src/commands/read-profile.ts': 'input of the operator at the command line',
  'packages/rest-adapter/src/docs/guide-tables.ts': 'a file of the repository',
};

/** A line for each call that reads JSON or repeats a handler past the boundary. */
export function findBoundaryViolations(files: readonly SourceFacts[], exceptions = PARSING): string[] {
  const isOurs = ({ path }: SourceFacts): boolean =>
    RUNNING.test(path) && !/\/(?:fake|fake-provider|sandbox-server)\//.test(path);
  const ours = files.filter(isOurs);
  const calls = ours.flatMap(({ path, rawCalls }) => rawCalls.map((call) => ({ path, ...call })));
  const found = calls.filter(({ path, what }) => !MECHANISMS[what]?.includes(path));
  const isExcused = (path: string, what: string): boolean => what === 'JSON.parse' && path in exceptions;
  const known = new Set(ours.map(({ path }) => path));
  const unused = Object.keys(exceptions).filter(
    (path) => known.has(path) && !found.some((call) => call.path === path && call.what === 'JSON.parse'),
  );
  return [
    ...found
      .filter(({ path, what }) => !isExcused(path, what))
      .map(({ path, line, what }) => `${path}:${line}: ${what}: ${ADVICE[what]}`),
    ...unused.map((path) => `tests/boundary-rules.ts: ${path} does not call JSON.parse: delete its line`),
  ];
}
