import { encodeQR } from 'qr';
import { promptPayPayload } from '../../sandbox-server/promptpay.ts';

/** The text of a charge's QR code. The payee is a tax number that does not exist. */
export function qrText(satang: number): string {
  const digits = String(satang).padStart(3, '0');
  return promptPayPayload({ type: 'tax_id', number: '0000000000000' }, `${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

export function qrImage(satang: number): string {
  return encodeQR(qrText(satang), 'svg', { ecc: 'medium' });
}
