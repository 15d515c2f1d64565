import { hash } from 'node:crypto';
import { graphiqlExamples } from './graphiql-examples.ts';

/** The operator tokens that a sandbox's GraphiQL starts with. */
export interface GraphiqlTokens {
  token: string;
  /** The second operator's token, for approvals. */
  approverToken?: string | undefined;
}

const title = 'Tidegate GraphiQL';
const yourToken = '<operator token>';

/**
 * Tabs are not restored at the next visit, because their tokens would be missing or belong to a former sandbox.
 * GraphiQL's history still has every executed operation.
 */
const beginAnew = `<script>
  for (const key of ['tabState', 'query', 'variables', 'headers']) localStorage.removeItem('graphiql:' + key);
</script>`;

/**
 * With several tabs GraphiQL's animation fails: the pressed tab moves away and does not open. The name stays on one
 * line. On a phone the answer is below the editors, and elements for dragging with a mouse are hidden.
 */
const style = `<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
  .graphiql-tab { transform: none !important; }
  .graphiql-logo { white-space: nowrap; }
  @media (max-width: 640px) {
    .graphiql-logo, .graphiql-horizontal-drag-bar { display: none; }
    #graphiql-session { flex-direction: column; }
    .graphiql-editors, .graphiql-response { flex: 1 1 50% !important; min-height: 0; min-width: 0; }
  }
</style>`;

/**
 * GraphiQL as one page without external files, with examples in its tabs, and an empty tab without tokens. Its 9 MB are
 * read at the first request.
 */
export async function renderGraphiqlPage(tokens: GraphiqlTokens | null, now: number): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const { token = yourToken, approverToken = yourToken } = tokens ?? {};
  const headersOf = (token: string) => JSON.stringify({ Authorization: `Bearer ${token}` }, null, 2);
  const page = renderGraphiQL({
    title,
    endpoint: '/graphql',
    method: 'POST',
    // The tabs send tokens, so GraphiQL does not use a session of the console.
    credentials: 'omit',
    shouldPersistHeaders: false,
    headers: headersOf(token),
    defaultHeaders: headersOf(token),
    defaultTabs: graphiqlExamples(now).map(({ query, variables, asApprover }) => ({
      query,
      headers: headersOf(asApprover ? approverToken : token),
      ...(variables && { variables: JSON.stringify(variables, null, 2) }),
    })),
  });
  return page.replace('<body', () => `${style}${beginAnew}<body`);
}

/** The contents of the scripts in the page, found without a pattern: it has 9 MB. */
function scriptsIn(page: string): string[] {
  const scripts: string[] = [];
  for (let at = page.indexOf('<script'); at !== -1; at = page.indexOf('<script', at)) {
    const start = page.indexOf('>', at) + 1;
    at = page.indexOf('</script>', start);
    // A browser hashes a script as its parser leaves it: with plain line feeds.
    scripts.push(page.slice(start, at).replace(/\r\n?/g, '\n'));
  }
  return scripts;
}

/**
 * The Content-Security-Policy of the page: only its own scripts run, by their hashes, and they reach only this server.
 * Its editors add styles, make their workers from blobs, and have their fonts in the page.
 */
export function graphiqlPolicy(page: string): string {
  const hashes = scriptsIn(page).map((script) => `'sha256-${hash('sha256', script, 'base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
