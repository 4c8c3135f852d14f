/** What the form for a kind of step is given. */
export interface StepFieldsProps<Step> {
  step: Step;
  onChange: (step: Step) => void;
  /** The ids of the steps that may follow. */
  next: readonly string[];
}
