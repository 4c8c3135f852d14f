/** Tells the processes of tests how slow the machine is. */
const VARIABLE = 'TEST_SLOWNESS';
/** Milliseconds of CPU time that the work below takes on the machine for which the bounds of tests were chosen. */
const USUAL_MS = 100;
const ROUNDS = 600;

/** Measures how much CPU time some work takes here, once at the start of a test run. */
export function measureSlowness(): void {
  const rows = Array.from({ length: 400 }, (_, id) => ({ id, name: `customer ${id}`, values: [id, id / 3, `${id}`] }));
  const before = process.threadCpuUsage();
  for (let i = 0; i < ROUNDS; i += 1) JSON.parse(JSON.stringify(rows)).sort((a: any, b: any) => b.id - a.id);
  const { user, system } = process.threadCpuUsage(before);
  process.env[VARIABLE] = String(Math.max(1, (user + system) / 1000 / USUAL_MS));
}

/** How many times the CPU time of the usual machine this one takes for the same work; 1 at least. */
export function slowness(): number {
  return Number(process.env[VARIABLE] ?? 1);
}
