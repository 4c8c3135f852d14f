import { FootfallError } from '../../client/index.ts';

/** Sorts why something was refused: what is said at the field that it names, or below all of them where it names none. */
export function refusalOf(
  error: Error | null | undefined,
  fields: readonly string[],
): { wrong: (field: string) => string | undefined; rest: Error | null } {
  const refused = error instanceof FootfallError && fields.includes(error.field ?? '') ? error : undefined;
  return {
    wrong: (field) => (refused?.field === field ? refused.message : undefined),
    rest: refused ? null : (error ?? null),
  };
}
