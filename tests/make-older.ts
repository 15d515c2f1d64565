import { queryDatabase } from '../tools/sandbox/test/own-postgres.ts';

/** Makes an order older, which the database otherwise refuses: for what happens to orders of a certain age. The audit finds it. */
export async function makeOlder(databaseUrl: string, orderNo: string, minutes: number): Promise<void> {
  if (!/^P[IO]\w+$/.test(orderNo)) throw new Error(`${orderNo} is no order`);
  await queryDatabase(
    databaseUrl,
    `begin; set local session_replication_role = replica;
     update orders set created_at = created_at - interval '${minutes} minutes' where order_no = '${orderNo}'; commit`,
  );
}
