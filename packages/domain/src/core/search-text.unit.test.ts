import { expect, test } from 'vitest';
import { lastWordOf, plainAccount, plainName, plainPhone } from './search-text.ts';

const dialCodes = ['86', '66', '91', '92'];

test.each([
  ['50100234567890', '50100234567890'],
  [' 50100-2345 67890 ', '50100234567890'],
  ['５０１００２３４５６７８９０', '50100234567890'],
  ['gb82 west 1234', 'GB82WEST1234'],
  ['00123', '00123'],
  ['-', null],
])('the account %j is compared as %j', (typed, plain) => {
  expect(plainAccount(typed)).toBe(plain);
});

test.each([
  ['+919812345678', '9812345678'],
  ['0091 98123-45678', '9812345678'],
  ['09812345678', '9812345678'],
  ['9812345678', '9812345678'],
  // It begins with a dial code, but has none.
  ['9198765432', '9198765432'],
  ['+66 81 234 5678', '812345678'],
  ['0812345678', '812345678'],
  ['+92 (0)300 1234567', '3001234567'],
  ['03001234567', '3001234567'],
  ['13812345678', '13812345678'],
  ['+86 138 1234 5678', '13812345678'],
  ['000', null],
  ['Asha', null],
])('the phone number %j is compared as %j', (typed, plain) => {
  expect(plainPhone(typed, dialCodes)).toBe(plain);
});

test.each([
  ['Asha  RAO-Singh', 'asha rao singh'],
  [" O'Brien ", 'o brien'],
  ['Ａｌｉ Khan', 'ali khan'],
  ['สมชาย ใจดี', 'สมชาย ใจดี'],
  ['王小明', '王小明'],
  ['?!', null],
])('the name %j is compared as %j', (typed, plain) => {
  expect(plainName(typed)).toBe(plain);
});

test('a long name is compared by its beginning', () => {
  expect(plainName('a'.repeat(200))).toHaveLength(64);
});

test('a long name is never cut within a character', () => {
  expect(plainName(`${'a'.repeat(63)}𠮷𠮷`)).toBe(`${'a'.repeat(63)}𠮷`);
});

test('only a name of several words has a last word', () => {
  expect([lastWordOf('mohammad ali khan'), lastWordOf('khan')]).toEqual(['khan', null]);
});
