import { alipayFake } from '../alipay/fake/index.ts';
import type { ProviderFake } from '../fake-provider/index.ts';
import { jazzcashFake } from '../jazzcash/fake/index.ts';
import { opnFake } from '../opn/fake/index.ts';
import { razorpayFake } from '../razorpay/fake/index.ts';

/** The fakes of all providers. Add a new one here. */
export const fakes: readonly ProviderFake[] = [alipayFake, opnFake, razorpayFake, jazzcashFake];
