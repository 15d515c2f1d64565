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
 * GraphiQL as one page that loads nothing from elsewhere, with examples in its tabs. Without tokens there is room for one. Its 9 MB are
 * read when somebody first asks.
 */
export async function renderGraphiqlPage(tokens: GraphiqlTokens | null, now: number): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const { token = yourToken, approverToken = yourToken } = tokens ?? {};
  const headersOf = (token: string) => JSON.stringify({ Authorization: `Bearer ${token}` }, null, 2);
  return renderGraphiQL({
    title,
    endpoint: '/graphql',
    method: 'POST',
    // Tokens stay in the page: the next sandbox at this address has others.
    shouldPersistHeaders: false,
    headers: headersOf(token),
    defaultHeaders: headersOf(token),
    defaultTabs: graphiqlExamples(now).map(({ query, variables, asApprover }) => ({
      query,
      headers: headersOf(asApprover ? approverToken : token),
      ...(variables && { variables: JSON.stringify(variables, null, 2) }),
    })),
  });
}
