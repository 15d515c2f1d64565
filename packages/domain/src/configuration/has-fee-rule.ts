/** SQL of whether route `r` has a fee rule: its own bank code's, or the general one of its kind. */
export const hasFeeRule = `exists (select from fee_rule f where f.merchant_id = r.merchant_id and f.kind = r.kind
  and f.bank_code in ('', coalesce(r.bank_code, '')))`;
