import { type FormEvent, useState } from 'react';
import { errorOf } from '../../client/error.ts';

interface Problem {
  message: string;
  /** The field at fault, if it is one. */
  field: string | null;
}

/** An attempt to sign in or to join: what the service says where it fails. */
export function useAttempt(attempt: () => Promise<Response>, onDone: () => void = () => {}) {
  const [problem, setProblem] = useState<Problem>();
  const [isTrying, setIsTrying] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTrying(true);
    setProblem(undefined);
    const found = await problemOf(attempt);
    setIsTrying(false);
    if (found) setProblem(found);
    else onDone();
  };
  const wrong = (field: string) => (problem?.field === field ? problem.message : undefined);
  return { submit, isTrying, wrong, problem: problem?.field === null ? problem.message : undefined };
}

async function problemOf(attempt: () => Promise<Response>): Promise<Problem | undefined> {
  try {
    const response = await attempt();
    if (response.ok) return undefined;
    const { message, field } = errorOf(response, await response.text());
    return { message, field };
  } catch {
    return { message: 'The service did not respond. Try again in a moment.', field: null };
  }
}
