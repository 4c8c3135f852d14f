import type {
  Automation as AutomationBody,
  AutomationDefinition,
  AutomationTrigger,
  AutomationSummary as SummaryBody,
  AutomationVersion as VersionBody,
  AutomationVersionSummary as VersionSummaryBody,
} from '../../../generated/native/types.gen.ts';
import { describeProblem, warningsOf } from '../../domain/automations/check.ts';
import type { CheckedAutomation } from '../../domain/automations/checked-automation.ts';
import { withTodaysConditions } from '../../domain/automations/core/definition/conditions-of.ts';
import type { Definition } from '../../domain/automations/core/definition/definition.ts';
import type { AutomationSummary, ListedAutomation } from '../../domain/automations/find-automations.ts';
import type { Schedule } from '../../domain/automations/reading/schedule.ts';
import type { VersionSummary, VersionWithDefinition } from '../../domain/automations/versions.ts';
import { clip, fieldOf, type Violation } from '../../domain/service-error.ts';

/** Problems that are shown, and characters of each. */
const MAX_PROBLEMS = 100;
const MAX_CHARACTERS = 1_000;

/** Converts a validated definition. */
export function toDefinition(body: AutomationDefinition): Definition {
  return withTodaysConditions(body as Definition);
}

export function renderAutomation(automation: CheckedAutomation): AutomationBody {
  const { draft, definition, problems, schedule, takesClientEvents, ...summary } = automation;
  return {
    ...renderSummary(summary),
    takes_client_events: takesClientEvents,
    ...(schedule && { schedule: renderSchedule(schedule) }),
    draft: draft as unknown as AutomationDefinition,
    problems: renderProblems(problems),
    warnings: renderWarnings(definition),
  };
}

function renderSchedule({ timeZone, upcoming, past }: Schedule): NonNullable<AutomationBody['schedule']> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    time_zone: timeZone,
    upcoming: upcoming.map(({ day, dueAt }) => ({ day, due_at: new Date(dueAt).toISOString() })),
    past: past.map(({ day, dueAt, status, members, beganAt, endedAt }) => ({
      ...{ day, due_at: new Date(dueAt).toISOString(), status, member_count: members },
      ...{ began_at: time(beganAt), ended_at: time(endedAt) },
    })),
  };
}

export function renderListedAutomation({ trigger, ...automation }: ListedAutomation): SummaryBody {
  return { ...renderSummary(automation), trigger: trigger as unknown as AutomationTrigger };
}

function renderSummary({ activeRuns, isHeld, createdAt, updatedAt, ...automation }: AutomationSummary) {
  return {
    id: automation.id,
    name: automation.name,
    status: automation.status,
    revision: automation.revision,
    version: automation.version,
    active_runs: activeRuns,
    is_held: isHeld,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function renderWarnings(definition: Definition) {
  return renderProblems(warningsOf(definition)).map((warning) => ({ code: 'consent_not_asked', ...warning }));
}

function renderProblems(problems: readonly Violation[]): AutomationBody['problems'] {
  return problems.slice(0, MAX_PROBLEMS).map(renderProblem);
}

function renderProblem(problem: Violation): AutomationBody['problems'][number] {
  const field = fieldOf(problem.path);
  return {
    field: field === null ? null : clip(field, MAX_CHARACTERS),
    message: clip(describeProblem(problem), MAX_CHARACTERS),
  };
}

export function renderVersionSummary(version: VersionSummary): VersionSummaryBody {
  return {
    automation_id: version.automationId,
    number: version.number,
    in_flight: version.inFlight,
    active_runs: version.activeRuns,
    published_at: version.publishedAt.toISOString(),
    published_by: version.publishedBy,
  };
}

export function renderVersion({ definition, ...version }: VersionWithDefinition): VersionBody {
  return {
    ...renderVersionSummary(version),
    definition: definition as unknown as AutomationDefinition,
    warnings: renderWarnings(definition.parse<Definition>()),
  };
}
