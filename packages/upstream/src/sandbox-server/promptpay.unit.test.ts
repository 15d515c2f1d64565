import { expect, test } from 'vitest';
import { crc16, type PromptPayProxy, promptPayPayload } from './promptpay.ts';

test('the checksum is CRC-16/CCITT-FALSE', () => {
  // The published check value of this CRC.
  expect(crc16('123456789')).toBe('29B1');
});

test.each([
  // Printed PromptPay codes published with the promptpay-qr library, checksum included.
  '00020101021129370016A000000677010111011300668012345675802TH530376463046197',
  '00020101021129370016A000000677010111011300668399999995802TH5303764630478A3',
  '00020101021129390016A00000067701011103150123456789012345802TH530376463049781',
])('the checksum of the published code %s is right', (code) => {
  expect(crc16(code.slice(0, -4))).toBe(code.slice(-4));
});

test('the code of a mobile number with an amount equals the published sample', () => {
  expect(promptPayPayload({ type: 'mobile', number: '0000000000' }, '4.22')).toBe(
    '00020101021229370016A000000677010111011300660000000005802TH530376454044.226304E469',
  );
});

const proxies: [PromptPayProxy, string][] = [
  [{ type: 'mobile', number: '0812345678' }, '0016A00000067701011101130066812345678'],
  [{ type: 'tax_id', number: '1234567890123' }, '0016A00000067701011102131234567890123'],
  [{ type: 'e_wallet', number: '012345678901234' }, '0016A0000006770101110315012345678901234'],
];

test.each(proxies)('the code of %o can be read back', (proxy, account) => {
  const code = promptPayPayload(proxy, '999999999.99');
  const objects = readObjects(code);
  expect(Object.fromEntries(objects)).toEqual({
    '00': '01',
    '01': '12',
    '29': account,
    '53': '764',
    '54': '999999999.99',
    '58': 'TH',
    '63': crc16(code.slice(0, -4)),
  });
  // The standard fixes the positions of the first and the last object.
  expect([objects[0]?.[0], objects.at(-1)?.[0]]).toEqual(['00', '63']);
});

const impossible: [PromptPayProxy, string][] = [
  [{ type: 'mobile', number: '812345678' }, '1.00'],
  [{ type: 'mobile', number: '0066812345678' }, '1.00'],
  [{ type: 'tax_id', number: '123' }, '1.00'],
  [{ type: 'mobile', number: '0812345678' }, '1'],
  [{ type: 'mobile', number: '0812345678' }, '1.5'],
  [{ type: 'mobile', number: '0812345678' }, '10000000000.00'],
];

test.each(impossible)('%o with %s makes no code', (proxy, amount) => {
  expect(() => promptPayPayload(proxy, amount)).toThrow(RangeError);
});

/** Reads id, length, value as a scanner does. */
function readObjects(code: string): [string, string][] {
  const objects: [string, string][] = [];
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    objects.push([code.slice(at, at + 2), code.slice(at + 4, at + 4 + length)]);
    at += 4 + length;
  }
  return objects;
}
