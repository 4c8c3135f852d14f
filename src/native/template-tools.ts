import type { TemplateTools } from '../domain/templates/template-tools.ts';
import type { Call } from '../http/handler.ts';

/** What compiles and renders templates, whose time does not count as that of the database: it bounds itself. */
export function outsideOf(deadline: Call<unknown>['deadline'], tools: TemplateTools): TemplateTools {
  return {
    compile: (...asked) => deadline.except(tools.compile(...asked)),
    render: (...asked) => deadline.except(tools.render(...asked)),
  };
}
