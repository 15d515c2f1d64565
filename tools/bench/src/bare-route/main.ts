import { fastify } from 'fastify';
import pg from 'pg';

// The reference of order queries: a route of the same server that reads one row by its primary key, and does nothing
// else.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const server = fastify();
server.get<{ Params: { merchantId: string; orderNo: string } }>('/orders/:merchantId/:orderNo', async (request) => {
  const { merchantId, orderNo } = request.params;
  const { rows } = await pool.query({
    name: 'order',
    text: 'select * from orders where merchant_id = $1 and order_no = $2',
    values: [merchantId, orderNo],
  });
  return rows[0];
});
server.get('/readyz', async () => 'ready');
process.once('SIGTERM', async () => {
  await server.close();
  await pool.end();
});
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
