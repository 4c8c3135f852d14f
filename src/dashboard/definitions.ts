/** Definitions of the kinds that this version knows, as which they are shown, edited and sent: those of requests. */
import type * as Read from '../client/index.ts';

export type {
  AutomationDefinitionInput as AutomationDefinition,
  AutomationStepInput as AutomationStep,
  AutomationTriggerInput as AutomationTrigger,
  BranchCaseInput as BranchCase,
  ComparisonInput as Comparison,
  ConditionInput as Condition,
  ConsentConditionInput as ConsentCondition,
  DateTriggerInput as DateTrigger,
  DelayStepInput as DelayStep,
  DidConditionInput as DidCondition,
  DidInput as Did,
  EmitEventStepInput as EmitEventStep,
  EventMatchInput as EventMatch,
  IdentifierConditionInput as IdentifierCondition,
  ListConditionInput as ListCondition,
  ProfileChangeTriggerInput as ProfileChangeTrigger,
  ReentryInput as Reentry,
  SegmentConditionInput as SegmentCondition,
  SegmentDefinitionInput as SegmentDefinition,
  SegmentEventInput as SegmentEvent,
  SegmentWindowInput as SegmentWindow,
  SendWebhookStepInput as SendWebhookStep,
  SetProfileStepInput as SetProfileStep,
  SplitWeightInput as SplitWeight,
  WaitForConditionInput as WaitForCondition,
  WaitForEventInput as WaitForEvent,
  WaitStepInput as WaitStep,
} from '../client/index.ts';

/**
 * Takes what was read for what this version knows. Of a kind that a later version has added, words have the name, and forms
 * leave it to the text.
 */
export function known(read: Read.AutomationDefinition): Read.AutomationDefinitionInput;
export function known(read: Read.AutomationStep | Read.UnknownStep): Read.AutomationStepInput;
export function known(read: Read.AutomationTrigger | Read.UnknownTrigger): Read.AutomationTriggerInput;
export function known(read: Read.SegmentDefinition | Read.UnknownCondition): Read.SegmentDefinitionInput;
export function known(read: object): object {
  return read;
}

/** The same of a condition of an automation. */
export const knownCondition = (read: Read.Condition | Read.UnknownCondition) => read as Read.ConditionInput;
