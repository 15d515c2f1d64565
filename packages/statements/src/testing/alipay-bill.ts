import iconv from 'iconv-lite';
import { writeZip } from './write-zip.ts';

export interface BillRow {
  tradeNo: string;
  orderNo: string;
  type: string;
  name?: string;
  at: string;
  received: string;
  refundNo?: string;
  fee?: string;
  share?: string;
}

const columns =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';

function writeRow(row: BillRow): string {
  const { tradeNo, orderNo, type, name = '订单', at, received, refundNo = '', fee = '0.00', share = '0.00' } = row;
  return [
    `${tradeNo}\t`,
    `${orderNo}\t`,
    type,
    name,
    at,
    at,
    '',
    '',
    '',
    '',
    '张*(a***@example.com)\t',
    received,
    received,
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '0.00',
    '',
    '0.00',
    '0.00',
    `${refundNo}\t`,
    fee,
    share,
    '',
  ].join(',');
}

export interface BillTotals {
  payins: string;
  refunds: string;
}

/** The text of a bill of the 1st of November 2026. */
export function billText(rows: readonly (BillRow | string)[], { payins, refunds }: BillTotals): string {
  return [
    '#支付宝业务明细查询',
    '#账号：[20881234567890120156]',
    '#起始日期：[2026年11月01日 00:00:00]   终止日期：[2026年11月02日 00:00:00]',
    '#-----------------------------------------业务明细列表----------------------------------------',
    columns,
    ...rows.map((row) => (typeof row === 'string' ? row : writeRow(row))),
    '#-----------------------------------------业务明细列表结束------------------------------------',
    `#交易合计：${payins}元，商家优惠共0.00元`,
    `#退款合计：${refunds}元，商家优惠退款共0.00元`,
    '#导出时间：[2026年11月02日 05:52:18]',
    '',
  ].join('\r\n');
}

export const gbk = (text: string): Buffer => iconv.encode(text, 'gbk');

/** The zip file of a bill, with the file of sums that is always in it. */
export function billZip(text: string): Buffer {
  return writeZip([
    { name: gbk('20881234567890120156_20261101_业务明细(汇总).csv'), content: gbk('#支付宝业务汇总查询\r\n') },
    { name: gbk('20881234567890120156_20261101_业务明细.csv'), content: gbk(text) },
  ]);
}
