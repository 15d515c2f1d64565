const title = 'Tidegate GraphiQL';
const defaultQuery = `# Operators' view of Tidegate. Give your token below, under Headers:
#   { "Authorization": "Bearer <operator token>" }
query OrderByNumber($orderNo: String!) {
  order(orderNo: $orderNo) {
    orderNo
    merchantId
    status
    amount
    currency
  }
}
`;

/** GraphiQL as one page that loads nothing from elsewhere. Its 9 MB are read when somebody first asks. */
export async function renderGraphiqlPage(): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return renderGraphiQL({ title, defaultQuery, endpoint: '/graphql' });
}
