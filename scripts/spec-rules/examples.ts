import type { Body, Context, Media, Operation } from './openapi.ts';

/** Every request and response with a body has an example with a summary, unless it is a file, which no text shows. */
export const example = () => ({
  MediaType({ example: single, examples = {}, schema }: Media, ctx: Context) {
    if (schema?.format === 'binary') return;
    if (single === undefined && Object.keys(examples).length === 0) ctx.report({ message: 'A body needs an example' });
    for (const [name, { summary }] of Object.entries(examples)) {
      if (!summary)
        ctx.report({ message: 'An example needs a summary', location: ctx.location.child(['examples', name]) });
    }
  },
});

/** Each request example has its response under the same name, where readers and tests find it. */
export const pairs = () => ({
  Operation({ requestBody, responses = {} }: Operation, ctx: Context) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const answers = successes.flatMap(([, response]) => namesOf(ctx.resolve(response).node as Body));
    const requests = namesOf(requestBody);
    // If there are none, `example` reports that.
    if (requests.length === 0 || answers.length === 0) return;
    for (const name of requests.filter((one) => !answers.includes(one))) {
      ctx.report({ message: `No response shows the answer to ${name}`, location: ctx.location.child(['responses']) });
    }
    for (const name of answers.filter((one) => !requests.includes(one))) {
      ctx.report({ message: `No request is shown for ${name}`, location: ctx.location.child(['requestBody']) });
    }
  },
});

/** Of the first media type; the others have the same. */
function namesOf({ content = {} }: Body = {}): string[] {
  const [media] = Object.values(content);
  return Object.keys(media?.examples ?? {});
}
