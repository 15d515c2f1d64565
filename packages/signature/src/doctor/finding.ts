/** The step of signing that a finding is about. */
export type Step =
  | 'input'
  | 'headers'
  | 'timestamp'
  | 'nonce'
  | 'base64'
  | 'body'
  | 'query'
  | 'key'
  | 'padding'
  | 'digest'
  | 'order'
  | 'escape'
  | 'number'
  | 'empty'
  | 'nesting'
  | 'stamps'
  | 'separator'
  | 'white space'
  | 'encoding'
  | 'content'
  | 'signature';

/** `wrong`: the service refuses for this. `suspect`: it may be the reason. `right`: checked and well. `hint`: worth knowing. */
export type Severity = 'wrong' | 'suspect' | 'right' | 'hint';

/** One thing that the doctor found. */
export interface Finding {
  step: Step;
  severity: Severity;
  /** What is so, in a sentence. */
  what: string;
  /** What to do about it; absent where there is nothing to do. */
  fix?: string;
  /** What it should be, and what it is, where showing both helps. */
  expected?: string;
  found?: string;
}

export function wrong(step: Step, what: string, fix: string, shown: Pick<Finding, 'expected' | 'found'> = {}): Finding {
  return { step, severity: 'wrong', what, fix, ...shown };
}

export function suspect(step: Step, what: string, fix: string): Finding {
  return { step, severity: 'suspect', what, fix };
}
