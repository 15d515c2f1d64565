import { graphiqlExamples } from './graphiql-examples.ts';

/** Operator tokens that GraphiQL is opened with, in a sandbox. */
export interface GraphiqlTokens {
  token: string;
  /** Of the second operator, for what two have to agree on. */
  approverToken?: string | undefined;
}

const title = 'Tidegate GraphiQL';
const yourToken = '<operator token>';

/**
 * Tabs are not kept from one visit to the next: they would come back without their tokens, or with those of a sandbox that is gone.
 * What was run is in GraphiQL's history all the same.
 */
const beginAnew = `<script>
  for (const key of ['tabState', 'query', 'variables', 'headers']) localStorage.removeItem('graphiql:' + key);
</script>`;

/** Several tabs at once leave its animation stuck: a tab that is pressed jumps away from under the pointer, and is not opened. */
const stayInPlace = '<style>.graphiql-tab { transform: none !important; }</style>';

/**
 * GraphiQL as one page that loads nothing from elsewhere, with examples in its tabs. Without tokens there is room for one. Its 9 MB are
 * read when somebody first asks.
 */
export async function renderGraphiqlPage(tokens: GraphiqlTokens | null, now: number): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const { token = yourToken, approverToken = yourToken } = tokens ?? {};
  const headersOf = (token: string) => JSON.stringify({ Authorization: `Bearer ${token}` }, null, 2);
  const page = renderGraphiQL({
    title,
    endpoint: '/graphql',
    method: 'POST',
    shouldPersistHeaders: false,
    headers: headersOf(token),
    defaultHeaders: headersOf(token),
    defaultTabs: graphiqlExamples(now).map(({ query, variables, asApprover }) => ({
      query,
      headers: headersOf(asApprover ? approverToken : token),
      ...(variables && { variables: JSON.stringify(variables, null, 2) }),
    })),
  });
  return page.replace('<body', () => `${stayInPlace}${beginAnew}<body`);
}
