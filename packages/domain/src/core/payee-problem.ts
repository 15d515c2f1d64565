/** A field of a payout that a provider cannot carry, and the reason, which follows the name of the field. */
export interface PayeeProblem {
  field: 'name' | 'account' | 'ifsc' | 'amount';
  reason: string;
}
