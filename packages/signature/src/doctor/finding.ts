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
  | 'boolean'
  | 'value'
  | 'empty'
  | 'nesting'
  | 'stamps'
  | 'separator'
  | 'white space'
  | 'encoding'
  | 'content'
  | 'signature';

/**
 * `wrong`: the service refuses it. `suspect`: a possible reason. `right`: checked and correct. `hint`: further
 * information.
 */
export type Severity = 'wrong' | 'suspect' | 'right' | 'hint';

export interface Finding {
  step: Step;
  severity: Severity;
  /** What was found, as a sentence. */
  what: string;
  /** What to do about it. Absent if there is nothing to do. */
  fix?: string;
  /** The expected and the actual value, if they help. */
  expected?: string;
  found?: string;
}

export function wrong(step: Step, what: string, fix: string, shown: Pick<Finding, 'expected' | 'found'> = {}): Finding {
  return { step, severity: 'wrong', what, fix, ...shown };
}

export function suspect(step: Step, what: string, fix: string): Finding {
  return { step, severity: 'suspect', what, fix };
}
