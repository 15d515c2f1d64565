/** An operator's client of the GraphQL API. */
export interface OperatorClient {
  <Data>(query: string, variables?: object): Promise<Data>;
  /** Runs a mutation, or requests its approval if it needs two people. Throws if the answer is a problem. */
  mutate(name: string, inputType: string, variables: { input: object; reason: string }): Promise<void>;
}

interface GraphqlAnswer<Data> {
  data?: Data;
  errors?: { message: string }[];
}

/** Opens a client with an operator's token. `graphqlUrl` is the address of `/graphql`. */
export function askAsOperator(graphqlUrl: string, token: string): OperatorClient {
  const ask = async <Data>(query: string, variables: object = {}): Promise<Data> => {
    const response = await fetch(graphqlUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as GraphqlAnswer<Data>;
    if (errors || !data) throw new Error(`GraphQL: ${errors?.[0]?.message ?? response.status}`);
    return data;
  };
  return Object.assign(ask, {
    mutate: async (name: string, inputType: string, variables: { input: object; reason: string }) => {
      const query = `mutation ($input: ${inputType}!, $reason: String!) {
        ${name}(input: $input, reason: $reason) { __typename ... on Problem { reason message } } }`;
      const data = await ask<Record<string, { reason?: string; message?: string } | null>>(query, variables);
      const problem = data[name];
      if (problem?.reason) throw new Error(`${name}: ${problem.reason} ${problem.message}`);
    },
  });
}
