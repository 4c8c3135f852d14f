/** Runs whose step can't have the effect that it asks for, such as one attribute more than a profile may have. */
export class RefusedEffects extends Error {
  /** The codes of the refusals, by the ids of the runs. */
  readonly codes: ReadonlyMap<string, string>;

  constructor(codes: ReadonlyMap<string, string>) {
    super('Effects of steps were refused');
    this.codes = codes;
  }
}
