import { randomBytes } from 'node:crypto';
import iconv from 'iconv-lite';
import {
  type FakeServer,
  fromCents,
  makeZip,
  type StatementFaults,
  setStatementFaults,
  toCents,
  withFault,
} from '../../fake-provider/index.ts';
import type { Answer } from './methods.ts';
import { inChina } from './notify.ts';
import type { Trade, Trades } from './trades.ts';

/** How long the address of a bill is valid (docs.open.alipay.com/api_15/alipay.data.dataservice.bill.downloadurl.query). */
const addressLifetimeMs = 30_000;
/** Bills of a day are made on the next day about this hour, in China. */
const readyHour = 9;

export interface Bills {
  /** `alipay.data.dataservice.bill.downloadurl.query` */
  answer(content: Readonly<Record<string, unknown>>): Answer;
}

interface Row {
  kind: '交易' | '退款';
  trade: Trade;
  at: number;
  /** Fen; what a refund gives back is negative. */
  amount: number;
  requestNo: string;
}

/**
 * Daily bills of the trades. The control `bills` { isReady?, fault? }: with `isReady` the bill of a day is there at once.
 */
export function openBills(server: FakeServer, sellerId: string, trades: Trades): Bills {
  const addresses = new Map<string, { day: string; validUntil: number }>();
  const faults: StatementFaults = { fault: null };
  let isReady = false;
  server.addControl('bills', (input) => {
    isReady = input.isReady === true;
    setStatementFaults(faults, input.fault);
  });
  server.app.get('/bills/:token', (request, reply) => {
    const { token = '' } = request.params as { token?: string };
    const address = addresses.get(token);
    if (!address || address.validUntil < server.clock.now()) return reply.code(403).send('AccessDenied');
    const zip = writeBill(address.day, sellerId, withFault(rowsOf(trades, address.day), faults, distort));
    const sent = faults.fault === 'cut_off' ? zip.subarray(0, zip.length / 2) : zip;
    return reply.type('application/octet-stream').send(sent);
  });
  return {
    answer({ bill_type: type, bill_date: day }) {
      const failed = (code: string) => ({ code: '40004', msg: 'Business Failed', sub_code: code, sub_msg: code });
      if (type !== 'trade' || typeof day !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(day))
        return failed('isv.invalid-arguments');
      const readyAt = Date.parse(`${day}T00:00:00+08:00`) + (24 + readyHour) * 3_600_000;
      const isThere = isReady || readyAt <= server.clock.now();
      if (!isThere || rowsOf(trades, day).length === 0) return failed('isp.bill_not_exist');
      const token = randomBytes(16).toString('hex');
      addresses.set(token, { day, validUntil: server.clock.now() + addressLifetimeMs });
      return { code: '10000', msg: 'Success', bill_download_url: `${server.url()}/bills/${token}` };
    },
  };
}

/** What happened on a day in China: trades by the time of their payment, refunds by their own. */
function rowsOf(trades: Trades, day: string): Row[] {
  const all = trades.all().flatMap((trade): Row[] => {
    if (trade.paidAt === null) return [];
    const paid: Row = {
      kind: '交易',
      trade,
      at: trade.paidAt,
      amount: toCents(trade.received ?? trade.amount),
      requestNo: '',
    };
    const back = trade.refunds.map(
      ({ requestNo, amount, at }): Row => ({
        kind: '退款',
        trade,
        at: at ?? trade.paidAt ?? 0,
        amount: -toCents(amount),
        requestNo,
      }),
    );
    return [paid, ...back];
  });
  return all.filter(({ at }) => inChina(at).startsWith(day)).sort((a, b) => a.at - b.at);
}

function distort(row: Row, fault: 'wrong_amount' | 'foreign_row'): Row {
  if (fault === 'wrong_amount') return { ...row, amount: row.amount + (row.amount < 0 ? -1 : 1) };
  const number = `FOREIGN${row.trade.outTradeNo}`.slice(0, 64);
  return { ...row, trade: { ...row.trade, outTradeNo: number, tradeNo: `${row.trade.tradeNo.slice(0, -1)}X` } };
}

const heading =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';
const rule = '-'.repeat(40);
const yuan = (fen: number) => `${fen < 0 ? '-' : ''}${fromCents(Math.abs(fen))}`;

function writeBill(day: string, sellerId: string, rows: readonly Row[]): Buffer {
  const chinese = (text: string) => text.replace('-', '年').replace('-', '月');
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const total = (kind: Row['kind']) => {
    const some = rows.filter((row) => row.kind === kind);
    return `${some.length}笔，商家实收${kind === '退款' ? '退款' : ''}共${yuan(some.reduce((sum, { amount }) => sum + amount, 0))}元`;
  };
  const detail = [
    '#支付宝业务明细查询',
    `#账号：[${sellerId}0156]`,
    `#起始日期：[${chinese(day)}日 00:00:00]   终止日期：[${chinese(next)}日 00:00:00]`,
    `#${rule}业务明细列表${rule}`,
    heading,
    ...rows.map(writeRow),
    `#${rule}业务明细列表结束${rule}`,
    `#交易合计：${total('交易')}，商家优惠共0.00元`,
    `#退款合计：${total('退款')}，商家优惠退款共0.00元`,
    `#导出时间：[${chinese(next)}日 06:00:00]`,
    '',
  ].join('\r\n');
  const sums = `#支付宝业务汇总查询\r\n#账号：[${sellerId}0156]\r\n`;
  const name = `${sellerId}0156_${day.replaceAll('-', '')}_业务明细`;
  const gbk = (text: string) => iconv.encode(text, 'gbk');
  return makeZip([
    { name: gbk(`${name}.csv`), content: gbk(detail) },
    { name: gbk(`${name}(汇总).csv`), content: gbk(sums) },
  ]);
}

/** A fee of 0.6 %, which a refund does not give back. Ids have a tab after them. */
function writeRow({ kind, trade, at, amount, requestNo }: Row): string {
  const fee = kind === '交易' ? -Math.round(amount * 0.006) : 0;
  return [
    `${trade.tradeNo}\t`,
    `${trade.outTradeNo}\t`,
    kind,
    trade.subject.replaceAll(',', ' '),
    inChina(trade.createdAt),
    inChina(at),
    '',
    '',
    '',
    '',
    '张*(159****5620)\t',
    yuan(amount),
    yuan(amount),
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '',
    '0.00',
    '0.00',
    `${requestNo}\t`,
    yuan(fee),
    '0.00',
    '',
  ].join(',');
}
