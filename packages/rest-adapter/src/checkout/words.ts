import type { Language } from './choose-language.ts';
import type { Stage } from './stage.ts';

/** What the page says in one language. `{name}` is the merchant; `{amount}` is what is left to pay, or after the end what was received. */
export interface Words {
  pay: string;
  amount: string;
  paidSoFar: string;
  rest: string;
  order: string;
  payBefore: string;
  timeLeft: string;
  qr: string;
  toBank: string;
  lookAgain: string;
  copyAmount: string;
  copied: string;
  back: string;
  stages: Record<Stage, { title: string; advice: string }>;
  notFound: { title: string; advice: string };
  notAvailable: { title: string; advice: string };
}

const en: Words = {
  ...{ pay: 'Pay {name}', amount: 'Amount', paidSoFar: 'Paid so far', rest: 'Left to pay', order: 'Order' },
  ...{ payBefore: 'Pay before', timeLeft: 'Time left', qr: 'QR code for your payment' },
  ...{ toBank: 'Continue to your bank', lookAgain: 'Check the payment again', back: 'Back to {name}' },
  ...{ copyAmount: 'Copy the amount', copied: 'Copied' },
  stages: {
    preparing: { title: 'Preparing your payment', advice: 'This takes a moment. The way to pay will appear here.' },
    waiting: { title: 'Waiting for your payment', advice: 'This page changes by itself once your payment arrives.' },
    part_paid: { title: 'Partly paid', advice: 'Please pay the rest: {amount}. Check the amount in your banking app.' },
    part_paid_no_way: {
      title: 'Partly paid',
      advice:
        'Please transfer the rest, {amount}, to the same recipient as before. Do not scan the earlier QR code again: it asks for the whole amount.',
    },
    late: {
      title: 'The time to pay is over',
      advice: 'Please do not pay any more. If you have paid, we are checking it.',
    },
    paid: { title: 'Paid', advice: 'Thank you. Your payment has arrived.' },
    failed: { title: 'Payment failed', advice: 'Please go back to the shop and try again.' },
    expired: { title: 'Payment expired', advice: 'Please do not pay any more. Go back to the shop and order again.' },
    expired_part_paid: {
      title: 'Payment expired',
      advice: 'We received {amount}. Please do not pay again. Ask {name} about it and give the order number.',
    },
    cancelled: { title: 'Payment cancelled', advice: 'Please do not pay any more.' },
  },
  notFound: { title: 'Payment not found', advice: 'Please check the address of this page.' },
  notAvailable: { title: 'This page is not available now', advice: 'Please try again in a moment.' },
};

const zh: Words = {
  ...{ pay: '向 {name} 付款', amount: '金额', paidSoFar: '已付金额', rest: '待付金额', order: '订单号' },
  ...{ payBefore: '付款截止时间', timeLeft: '剩余时间', qr: '付款二维码' },
  ...{ toBank: '前往银行付款', lookAgain: '重新查询付款状态', back: '返回 {name}' },
  ...{ copyAmount: '复制金额', copied: '已复制' },
  stages: {
    preparing: { title: '正在准备付款', advice: '请稍候，付款方式将显示在这里。' },
    waiting: { title: '等待您付款', advice: '收到款项后，本页会自动显示。' },
    part_paid: { title: '已部分付款', advice: '请支付余款：{amount}。请在银行应用中核对金额。' },
    part_paid_no_way: {
      title: '已部分付款',
      advice: '请将余款 {amount} 转给与之前相同的收款方。请勿再次扫描之前的二维码，它要求支付全额。',
    },
    late: { title: '付款时间已过', advice: '请勿再付款。如果您已付款，我们正在核实。' },
    paid: { title: '付款成功', advice: '谢谢，您的款项已收到。' },
    failed: { title: '付款失败', advice: '请返回商家重新尝试。' },
    expired: { title: '付款已过期', advice: '请勿再付款。请返回商家重新下单。' },
    expired_part_paid: {
      title: '付款已过期',
      advice: '我们已收到 {amount}。请勿再次付款。请联系 {name}，并提供订单号。',
    },
    cancelled: { title: '付款已取消', advice: '请勿再付款。' },
  },
  notFound: { title: '未找到该付款', advice: '请检查本页的网址。' },
  notAvailable: { title: '本页暂时无法使用', advice: '请稍后再试。' },
};

const th: Words = {
  ...{ pay: 'ชำระเงินให้ {name}', amount: 'จำนวนเงิน', paidSoFar: 'ชำระแล้ว', rest: 'ยอดคงเหลือ', order: 'คำสั่งซื้อ' },
  ...{ payBefore: 'ชำระก่อน', timeLeft: 'เวลาที่เหลือ', qr: 'คิวอาร์โค้ดสำหรับชำระเงิน' },
  ...{ toBank: 'ไปยังธนาคารของคุณ', lookAgain: 'ตรวจสอบการชำระเงินอีกครั้ง', back: 'กลับไปที่ {name}' },
  ...{ copyAmount: 'คัดลอกจำนวนเงิน', copied: 'คัดลอกแล้ว' },
  stages: {
    preparing: { title: 'กำลังเตรียมการชำระเงิน', advice: 'โปรดรอสักครู่ วิธีชำระเงินจะแสดงที่นี่' },
    waiting: { title: 'รอการชำระเงินของคุณ', advice: 'หน้านี้จะแสดงผลเองเมื่อได้รับเงินแล้ว' },
    part_paid: { title: 'ชำระแล้วบางส่วน', advice: 'โปรดชำระส่วนที่เหลือ: {amount} และตรวจสอบจำนวนเงินในแอปธนาคาร' },
    part_paid_no_way: {
      title: 'ชำระแล้วบางส่วน',
      advice: 'โปรดโอนยอดที่เหลือ {amount} ไปยังผู้รับรายเดิม อย่าสแกนคิวอาร์โค้ดเดิมอีก เพราะโค้ดนั้นเรียกเก็บเต็มจำนวน',
    },
    late: { title: 'หมดเวลาชำระเงิน', advice: 'โปรดอย่าชำระเงินอีก หากคุณชำระแล้ว เรากำลังตรวจสอบ' },
    paid: { title: 'ชำระเงินแล้ว', advice: 'ขอบคุณ เราได้รับเงินของคุณแล้ว' },
    failed: { title: 'ชำระเงินไม่สำเร็จ', advice: 'โปรดกลับไปที่ร้านค้าแล้วลองอีกครั้ง' },
    expired: { title: 'การชำระเงินหมดอายุ', advice: 'โปรดอย่าชำระเงินอีก กลับไปที่ร้านค้าแล้วสั่งซื้อใหม่' },
    expired_part_paid: {
      title: 'การชำระเงินหมดอายุ',
      advice: 'เราได้รับเงิน {amount} แล้ว โปรดอย่าชำระเงินอีก โปรดติดต่อ {name} และแจ้งหมายเลขคำสั่งซื้อ',
    },
    cancelled: { title: 'ยกเลิกการชำระเงินแล้ว', advice: 'โปรดอย่าชำระเงินอีก' },
  },
  notFound: { title: 'ไม่พบรายการชำระเงิน', advice: 'โปรดตรวจสอบที่อยู่ของหน้านี้' },
  notAvailable: { title: 'หน้านี้ใช้งานไม่ได้ในขณะนี้', advice: 'โปรดลองอีกครั้งในอีกสักครู่' },
};

const hi: Words = {
  ...{ pay: '{name} को भुगतान करें', amount: 'राशि', paidSoFar: 'अब तक भुगतान', rest: 'शेष राशि', order: 'ऑर्डर' },
  ...{ payBefore: 'इससे पहले भुगतान करें', timeLeft: 'शेष समय', qr: 'आपके भुगतान का क्यूआर कोड' },
  ...{ toBank: 'अपने बैंक पर जाएँ', lookAgain: 'भुगतान फिर से जाँचें', back: '{name} पर वापस जाएँ' },
  ...{ copyAmount: 'राशि कॉपी करें', copied: 'कॉपी हो गया' },
  stages: {
    preparing: { title: 'आपका भुगतान तैयार हो रहा है', advice: 'कृपया प्रतीक्षा करें। भुगतान का तरीका यहाँ दिखेगा।' },
    waiting: { title: 'आपके भुगतान की प्रतीक्षा है', advice: 'भुगतान मिलते ही यह पेज अपने आप बता देगा।' },
    part_paid: { title: 'आंशिक भुगतान हुआ', advice: 'कृपया शेष राशि चुकाएँ: {amount}। बैंक ऐप में राशि जाँच लें।' },
    part_paid_no_way: {
      title: 'आंशिक भुगतान हुआ',
      advice: 'कृपया शेष राशि {amount} पहले वाले प्राप्तकर्ता को ही भेजें। पुराना क्यूआर कोड दोबारा स्कैन न करें: वह पूरी राशि माँगता है।',
    },
    late: { title: 'भुगतान का समय समाप्त', advice: 'कृपया अब भुगतान न करें। यदि आपने किया है, तो हम जाँच रहे हैं।' },
    paid: { title: 'भुगतान हो गया', advice: 'धन्यवाद। आपका भुगतान मिल गया है।' },
    failed: { title: 'भुगतान विफल रहा', advice: 'कृपया दुकान पर वापस जाकर फिर कोशिश करें।' },
    expired: { title: 'भुगतान की अवधि समाप्त', advice: 'कृपया अब भुगतान न करें। दुकान पर वापस जाकर फिर ऑर्डर करें।' },
    expired_part_paid: {
      title: 'भुगतान की अवधि समाप्त',
      advice: 'हमें {amount} मिले हैं। कृपया दोबारा भुगतान न करें। {name} से संपर्क करें और ऑर्डर नंबर बताएँ।',
    },
    cancelled: { title: 'भुगतान रद्द हुआ', advice: 'कृपया अब भुगतान न करें।' },
  },
  notFound: { title: 'भुगतान नहीं मिला', advice: 'कृपया इस पेज का पता जाँचें।' },
  notAvailable: { title: 'यह पेज अभी उपलब्ध नहीं है', advice: 'कृपया थोड़ी देर में फिर कोशिश करें।' },
};

const ur: Words = {
  ...{ pay: '{name} کو ادائیگی کریں', amount: 'رقم', paidSoFar: 'اب تک ادا شدہ', rest: 'باقی رقم', order: 'آرڈر' },
  ...{ payBefore: 'اس سے پہلے ادا کریں', timeLeft: 'باقی وقت', qr: 'آپ کی ادائیگی کا کیو آر کوڈ' },
  ...{ toBank: 'اپنے بینک پر جائیں', lookAgain: 'ادائیگی دوبارہ چیک کریں', back: '{name} پر واپس جائیں' },
  ...{ copyAmount: 'رقم کاپی کریں', copied: 'کاپی ہو گئی' },
  stages: {
    preparing: {
      title: 'آپ کی ادائیگی تیار ہو رہی ہے',
      advice: 'براہ کرم انتظار کریں۔ ادائیگی کا طریقہ یہاں ظاہر ہوگا۔',
    },
    waiting: { title: 'آپ کی ادائیگی کا انتظار ہے', advice: 'ادائیگی ملتے ہی یہ صفحہ خود بتا دے گا۔' },
    part_paid: {
      title: 'جزوی ادائیگی ہوئی',
      advice: 'براہ کرم باقی رقم ادا کریں: {amount}۔ بینک ایپ میں رقم دیکھ لیں۔',
    },
    part_paid_no_way: {
      title: 'جزوی ادائیگی ہوئی',
      advice:
        'براہ کرم باقی رقم {amount} پہلے والے وصول کنندہ کو ہی بھیجیں۔ پرانا کیو آر کوڈ دوبارہ اسکین نہ کریں: وہ پوری رقم مانگتا ہے۔',
    },
    late: {
      title: 'ادائیگی کا وقت ختم ہو گیا',
      advice: 'براہ کرم اب ادائیگی نہ کریں۔ اگر آپ کر چکے ہیں تو ہم جانچ رہے ہیں۔',
    },
    paid: { title: 'ادائیگی ہو گئی', advice: 'شکریہ۔ آپ کی ادائیگی مل گئی ہے۔' },
    failed: { title: 'ادائیگی ناکام رہی', advice: 'براہ کرم دکان پر واپس جا کر دوبارہ کوشش کریں۔' },
    expired: {
      title: 'ادائیگی کی میعاد ختم',
      advice: 'براہ کرم اب ادائیگی نہ کریں۔ دکان پر واپس جا کر دوبارہ آرڈر کریں۔',
    },
    expired_part_paid: {
      title: 'ادائیگی کی میعاد ختم',
      advice:
        'ہمیں {amount} موصول ہوئے ہیں۔ براہ کرم دوبارہ ادائیگی نہ کریں۔ {name} سے رابطہ کریں اور آرڈر نمبر بتائیں۔',
    },
    cancelled: { title: 'ادائیگی منسوخ ہو گئی', advice: 'براہ کرم اب ادائیگی نہ کریں۔' },
  },
  notFound: { title: 'ادائیگی نہیں ملی', advice: 'براہ کرم اس صفحے کا پتہ چیک کریں۔' },
  notAvailable: { title: 'یہ صفحہ ابھی دستیاب نہیں', advice: 'براہ کرم تھوڑی دیر میں دوبارہ کوشش کریں۔' },
};

export const words: Record<Language, Words> = { en, zh, th, hi, ur };
