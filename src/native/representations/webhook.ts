import type {
  CallMethod,
  WebhookDelivery,
  WebhookDeliverySummary,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../../../generated/native/types.gen.ts';
import type { Attempt, Delivery, DeliveryWithAttempts } from '../../domain/webhooks/deliveries/deliveries.ts';
import type { EndpointWithSecret } from '../../domain/webhooks/endpoints/endpoints.ts';
import type { Endpoint } from '../../domain/webhooks/endpoints/find-endpoints.ts';

export function renderEndpoint(endpoint: Endpoint): WebhookEndpoint {
  return {
    id: endpoint.id,
    url: endpoint.url,
    name: endpoint.name,
    secret_headers: endpoint.secretHeaders.map((name) => ({ name })),
    max_per_second: endpoint.maxPerSecond,
    max_concurrent: endpoint.maxConcurrent,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    failures: endpoint.failures,
    failing_since: toText(endpoint.failingSince),
    resting_until: toText(endpoint.restingUntil),
    queued: endpoint.queued,
    oldest_queued_at: toText(endpoint.oldestQueuedAt),
    previous_secrets_until: toText(endpoint.previousSecretsUntil),
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    disabled_at: toText(endpoint.disabledAt),
    deleted_at: toText(endpoint.deletedAt),
  };
}

export function renderEndpointWithSecret({ endpoint, secret }: EndpointWithSecret): WebhookEndpointWithSecret {
  return { secret, endpoint: renderEndpoint(endpoint) };
}

export function renderDeliverySummary(delivery: Delivery): WebhookDeliverySummary {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    run_id: delivery.runId,
    message_type: delivery.messageType,
    status: delivery.status,
    next_attempt_at: toText(delivery.nextAttemptAt),
    expires_at: toText(delivery.expiresAt),
    created_at: delivery.createdAt.toISOString(),
    finished_at: toText(delivery.finishedAt),
  };
}

export function renderDelivery({ body, request, attempts, ...delivery }: DeliveryWithAttempts): WebhookDelivery {
  const call = request && {
    method: request.method as CallMethod,
    path: request.path,
    headers: { ...request.headers },
    signed: request.isSigned,
  };
  return { ...renderDeliverySummary(delivery), body, request: call, attempts: attempts.map(renderAttempt) };
}

function renderAttempt({
  number,
  at,
  status,
  error,
  ms,
  excerpt,
  isResent,
}: Attempt): WebhookDelivery['attempts'][number] {
  return { number, at: at.toISOString(), status, error, duration_ms: ms, ms, excerpt, resent: isResent };
}

function toText(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
