/**
 * Definitions of the kinds that this version knows, as which they are shown, edited and sent: those of requests, without
 * former forms, which are accepted only.
 */
import type * as Read from '../client/index.ts';

type Former = Read.FormerEventConditionInput | Read.FormerAttributeConditionInput;
type Today<Input> = Input extends Former
  ? never
  : Input extends Read.IdentifierConditionInput
    ? Omit<Input, 'op'> & { op: Read.ComparisonOperator }
    : Input extends object
      ? { [Name in keyof Input]: Today<Input[Name]> }
      : Input;

export type AddToListStep = Today<Read.AddToListStepInput>;
export type AssignCouponStep = Today<Read.AssignCouponStepInput>;
export type AttributeCondition = Today<Read.AttributeConditionInput>;
export type AutomationDefinition = Today<Read.AutomationDefinitionInput>;
export type AutomationStep = Today<Read.AutomationStepInput>;
export type AutomationTrigger = Today<Read.AutomationTriggerInput>;
export type BranchCase = Today<Read.BranchCaseInput>;
export type CallWebhookStep = Today<Read.CallWebhookStepInput>;
export type Comparison = Today<Read.ComparisonInput>;
export type Condition = Today<Read.ConditionInput>;
export type ConditionWindow = Today<Read.WindowInput>;
export type ConsentCondition = Today<Read.ConsentConditionInput>;
export type DateTest = Today<Read.DateTestInput>;
export type DateTrigger = Today<Read.DateTriggerInput>;
export type CatalogTrigger = Today<Read.CatalogTriggerInput>;
export type DelayStep = Today<Read.DelayStepInput>;
export type Did = Today<Read.DidInput>;
export type DidCondition = Today<Read.DidConditionInput>;
export type EventsCondition = Today<Read.EventsConditionInput>;
export type EmitEventStep = Today<Read.EmitEventStepInput>;
export type EventMatch = Today<Read.EventMatchInput>;
export type IdentifierCondition = Today<Read.IdentifierConditionInput>;
export type ItemCondition = Today<Read.ItemConditionInput>;
export type ItemsTest = Today<Read.ItemsTestInput>;
export type ListCondition = Today<Read.ListConditionInput>;
export type ProfileChangeTrigger = Today<Read.ProfileChangeTriggerInput>;
export type AutomationGoal = Today<Read.AutomationGoalInput>;
export type ScheduleTrigger = Today<Read.ScheduleTriggerInput>;
export type Occurrence = Today<Read.OccurrenceInput>;
export type OtherValue = Today<Read.OtherValueInput>;
export type PropertyCondition = Today<Read.PropertyConditionInput>;
export type Reentry = Today<Read.ReentryInput>;
export type RemoveFromListStep = Today<Read.RemoveFromListStepInput>;
export type EventSequence = Today<Read.EventSequenceInput>;
export type SegmentCondition = Today<Read.SegmentConditionInput>;
export type SendEmailStep = Today<Read.SendEmailStepInput>;
export type SendSmsStep = Today<Read.SendSmsStepInput>;
export type SendWebhookStep = Today<Read.SendWebhookStepInput>;
export type SetProfileStep = Today<Read.SetProfileStepInput>;
export type SplitStep = Today<Read.SplitStepInput>;
export type SplitWeight = Today<Read.SplitWeightInput>;
export type SubscribeStep = Today<Read.SubscribeStepInput>;
export type TemplateBlock = Today<Read.TemplateBlockInput>;
export type TemplateBlocks = Today<Read.TemplateBlocksInput>;
export type TemplateDraft = Required<Today<Omit<Read.TemplateUpdate, 'revision'>>>;
export type TemplateTranslation = Today<Read.TemplateTranslationInput>;
export type UnsubscribeStep = Today<Read.UnsubscribeStepInput>;
export type WaitForCondition = Today<Read.WaitForConditionInput>;
export type WaitForEvent = Today<Read.WaitForEventInput>;
export type WaitForItem = Today<Read.WaitForItemInput>;
export type WaitStep = Today<Read.WaitStepInput>;

/** A comparison alone. */
export type Leaf = Exclude<Condition, { all: unknown } | { any: unknown } | { not: unknown }>;

/**
 * Takes what was read for what this version knows. Of a kind that a later version has added, words have the name, and forms
 * leave it to the text.
 */
export function known(read: Read.TemplateDraft): TemplateDraft;
export function known(read: Read.AutomationDefinition): AutomationDefinition;
export function known(read: Read.AutomationStep | Read.UnknownStep): AutomationStep;
export function known(read: Read.AutomationTrigger | Read.UnknownTrigger): AutomationTrigger;
export function known(read: Read.SegmentDefinition | Read.Condition | Read.UnknownCondition): Condition;
export function known(read: object): object {
  return read;
}
