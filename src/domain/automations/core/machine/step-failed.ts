/** Thrown within the core: a step fails for a reason that has a code. */
export class StepFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The step failed: ${code}`);
    this.code = code;
  }
}
