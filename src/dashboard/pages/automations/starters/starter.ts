import type { SegmentInput, TemplateInput } from '../../../../client/index.ts';
import type { AutomationDefinition } from '../../../definitions.ts';

/** What an automation can begin with. */
export interface Starter {
  title: string;
  description: string;
  /** What it sends, by the ids of the steps that send it: ready to be sent as they are. */
  emails: Readonly<Record<string, StarterEmail>>;
  /** The segment whose members it is for, where it is for one. */
  segment?: SegmentInput;
  /** Without the ids of templates and segments, which there are once somebody begins. */
  definition: AutomationDefinition;
}

export type StarterEmail = Pick<TemplateInput, 'name' | 'subject' | 'preheader'> & {
  blocks: Exclude<TemplateInput['body'], string>['blocks'];
};

/** A step that sends the e-mail of the same name, of a template that there is once somebody begins. */
export const sendEmail = (id: string, next: string | null) =>
  ({ id, type: 'send_email', template_id: '', next }) as const;
