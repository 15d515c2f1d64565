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

/**
 * `wrong`: the service refuses it. `suspect`: it may be the reason. `right`: checked and correct. `hint`: additional
 * information.
 */
export type Severity = 'wrong' | 'suspect' | 'right' | 'hint';

/** One finding of the doctor. */
export interface Finding {
  step: Step;
  severity: Severity;
  /** The finding, in a sentence. */
  what: string;
  /** What to do about it, if anything. */
  fix?: string;
  /** The expected and the found value, if they help. */
  expected?: string;
  found?: string;
}

export function wrong(step: Step, what: string, fix: string, shown: Pick<Finding, 'expected' | 'found'> = {}): Finding {
  return { step, severity: 'wrong', what, fix, ...shown };
}

export function suspect(step: Step, what: string, fix: string): Finding {
  return { step, severity: 'suspect', what, fix };
}
