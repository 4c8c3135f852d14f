import type { Operations } from '../../generated/native/operations.gen.ts';
import { convertKlaviyo } from '../domain/templates/core/convert/convert-klaviyo.ts';
import type { Handler } from '../http/handler.ts';
import { renderProblem } from './representations/template.ts';

export const convertTemplate: Handler<Operations, 'convertTemplate'> = async ({ request }) => {
  const { source, problems } = convertKlaviyo(request.body.source);
  const body = { source, problems: problems.map((problem) => renderProblem({ ...problem, field: 'source' })) };
  return { status: 200, body };
};
