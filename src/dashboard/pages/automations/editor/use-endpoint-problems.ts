import type { DefinitionProblem } from '../../../../client/index.ts';
import type { AutomationStep } from '../../../definitions.ts';
import { useEndpoints } from '../../webhooks/use-endpoints.ts';

/** What is wrong with the endpoint that a step sends to: the service says it only when the draft is published. */
export function useEndpointProblems(): (step: AutomationStep) => DefinitionProblem[] {
  const endpoints = useEndpoints().data?.endpoints;
  return (step) => {
    if ((step.type !== 'send_webhook' && step.type !== 'call_webhook') || !endpoints) return [];
    const endpoint = endpoints.find(({ id }) => id === step.endpoint_id);
    const message =
      step.endpoint_id === ''
        ? 'It has no webhook endpoint yet'
        : !endpoint
          ? 'Its webhook endpoint is not there, or is deleted'
          : endpoint.status === 'disabled'
            ? `Its webhook endpoint, “${endpoint.name}”, is disabled`
            : undefined;
    return message === undefined ? [] : [{ field: null, message }];
  };
}
