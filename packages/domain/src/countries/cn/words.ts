import type { CheckoutWords } from '../checkout-words.ts';

export const zh: CheckoutWords = {
  pay: '向 {name} 付款',
  amount: '金额',
  paidSoFar: '已付金额',
  rest: '待付金额',
  order: '订单号',
  payBefore: '付款截止时间',
  timeLeft: '剩余时间',
  qr: '付款二维码',
  toBank: '前往银行付款',
  lookAgain: '重新查询付款状态',
  back: '返回 {name}',
  copyAmount: '复制金额',
  copied: '已复制',
  states: {
    preparing: { title: '正在准备付款', advice: '请稍候，付款方式将显示在这里。' },
    waiting: { title: '等待您付款', advice: '收到款项后，本页会自动显示。' },
    part_paid: { title: '已部分付款', advice: '请支付余款：{amount}。请在银行应用中核对金额。' },
    part_paid_no_way: {
      title: '已部分付款',
      advice: '请将余款 {amount} 转给与之前相同的收款方。请勿再次扫描之前的二维码，它要求支付全额。',
    },
    late: { title: '付款时间已过', advice: '请勿再付款。如果您已付款，我们正在核实。' },
    paid: { title: '付款成功', advice: '谢谢，您的款项已收到。' },
    failed: {
      title: '付款失败',
      advice: '如果您已付款，请勿再次付款，请联系 {name}，并提供订单号。如果您尚未付款，请返回商家重新尝试。',
    },
    expired: {
      title: '付款已过期',
      advice: '请勿再付款。如果您尚未付款，可返回商家重新下单。如果您已付款，请联系 {name}，并提供订单号。',
    },
    cancelled: {
      title: '付款已取消',
      advice: '请勿再付款。如果您尚未付款，可返回商家重新下单。如果您已付款，请联系 {name}，并提供订单号。',
    },
  },
  asking: {
    received_less: '到账金额少于应付金额',
    received_all: '款项已到账',
    received_more: '到账金额多于应付金额',
    paid_more: '付款成功，但到账金额多于应付金额',
    sent_back: '款项已退回',
  },
  sentences: {
    arrived: '我们已收到 {amount}。',
    asked: '订单金额为 {amount}。',
    held: '我们暂存了 {amount}，尚未入账。',
    credited_otherwise: '{amount} 已以其他方式入账给 {name}。',
    returning: '{amount} 正在退回给您。',
    returned: '{amount} 已退回给您。',
    do_not_pay: '请勿再次付款。',
    ask_merchant: '请联系 {name}，并提供订单号。',
  },
  notFound: { title: '未找到该付款', advice: '请检查本页的网址。' },
  notAvailable: { title: '本页暂时无法使用', advice: '请稍后再试。' },
};
