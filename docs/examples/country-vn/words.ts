// Copy to packages/domain/src/countries/vn/ (docs/developers/add-a-country.md): imports are relative to there.
import type { CheckoutWords } from '../checkout-words.ts';

export const vi: CheckoutWords = {
  pay: 'Thanh toán cho {name}',
  amount: 'Số tiền',
  paidSoFar: 'Đã thanh toán',
  rest: 'Còn lại',
  order: 'Đơn hàng',
  payBefore: 'Thanh toán trước',
  timeLeft: 'Thời gian còn lại',
  qr: 'Mã QR để thanh toán',
  toBank: 'Đến ngân hàng của bạn',
  lookAgain: 'Kiểm tra lại thanh toán',
  back: 'Quay lại {name}',
  copyAmount: 'Sao chép số tiền',
  copied: 'Đã sao chép',
  states: {
    preparing: { title: 'Đang chuẩn bị thanh toán', advice: 'Vui lòng đợi. Cách thanh toán sẽ hiện ở đây.' },
    waiting: { title: 'Đang chờ bạn thanh toán', advice: 'Trang này tự cập nhật khi nhận được tiền.' },
    part_paid: { title: 'Đã thanh toán một phần', advice: 'Vui lòng thanh toán phần còn lại: {amount}.' },
    part_paid_no_way: {
      title: 'Đã thanh toán một phần',
      advice: 'Vui lòng chuyển phần còn lại, {amount}, cho cùng người nhận. Không quét lại mã QR cũ.',
    },
    late: {
      title: 'Đã hết thời gian thanh toán',
      advice: 'Vui lòng không thanh toán nữa. Nếu bạn đã trả, chúng tôi đang kiểm tra.',
    },
    paid: { title: 'Đã thanh toán', advice: 'Cảm ơn. Chúng tôi đã nhận được tiền của bạn.' },
    failed: { title: 'Thanh toán thất bại', advice: 'Vui lòng quay lại cửa hàng và thử lại.' },
    expired: {
      title: 'Thanh toán đã hết hạn',
      advice:
        'Vui lòng không thanh toán nữa. Nếu bạn chưa trả, hãy đặt hàng lại. Nếu đã trả, hãy hỏi {name} và nêu số đơn hàng.',
    },
    cancelled: { title: 'Thanh toán đã bị hủy', advice: 'Vui lòng không thanh toán nữa.' },
  },
  asking: {
    received_less: 'Số tiền nhận được ít hơn yêu cầu',
    received_all: 'Đã nhận tiền',
    received_more: 'Số tiền nhận được nhiều hơn yêu cầu',
    paid_more: 'Đã thanh toán, nhưng nhận được nhiều hơn yêu cầu',
    sent_back: 'Đã hoàn tiền',
  },
  sentences: {
    arrived: 'Chúng tôi đã nhận {amount}.',
    asked: 'Đơn hàng yêu cầu {amount}.',
    held: 'Chúng tôi đang giữ {amount}, chưa ghi có.',
    credited_otherwise: '{amount} đã được ghi có cho {name} theo cách khác.',
    returning: '{amount} đang được hoàn lại cho bạn.',
    returned: '{amount} đã được hoàn lại cho bạn.',
    do_not_pay: 'Vui lòng không trả thêm.',
    ask_merchant: 'Hãy hỏi {name} và nêu số đơn hàng.',
  },
  notFound: { title: 'Không tìm thấy thanh toán', advice: 'Vui lòng kiểm tra địa chỉ của trang này.' },
  notAvailable: { title: 'Trang này tạm thời không dùng được', advice: 'Vui lòng thử lại sau giây lát.' },
};
