import { type FormEvent, useState } from 'react';
import { errorOf } from '../../client/error.ts';

interface Problem {
  message: string;
  /** The field at fault, if it is one. */
  field: string | null;
}

/** An attempt to sign in or to join: what the service says where it fails, and whether it wants a code of the second factor too. */
export function useAttempt(attempt: () => Promise<Response>, onDone: () => void = () => {}) {
  const [asksCode, setAsksCode] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [isTrying, setIsTrying] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTrying(true);
    setProblem(undefined);
    const found = await problemOf(attempt);
    setIsTrying(false);
    if (found === 'asksCode') setAsksCode(true);
    else if (found) setProblem(found);
    else onDone();
  };
  const wrong = (field: string) => (problem?.field === field ? problem.message : undefined);
  const restart = () => {
    setAsksCode(false);
    setProblem(undefined);
  };
  return { submit, isTrying, asksCode, restart, wrong, problem: problem?.field === null ? problem.message : undefined };
}

async function problemOf(attempt: () => Promise<Response>): Promise<Problem | 'asksCode' | undefined> {
  try {
    const response = await attempt();
    if (response.ok) return response.status === 200 ? 'asksCode' : undefined;
    const { message, field } = errorOf(response, await response.text());
    return { message, field };
  } catch {
    return { message: 'The service did not respond. Try again in a moment.', field: null };
  }
}
