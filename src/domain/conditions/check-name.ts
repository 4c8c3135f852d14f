import type { Name } from './comparison.ts';
import type { Report } from './report.ts';
import type { Path } from './tree.ts';

export function checkName(name: Name, path: Path, report: Report): void {
  if (name.length === 0) report.add(path, 'must not be empty');
  else if (typeof name !== 'string' && name.includes('')) report.add(path, 'must have no empty names');
}
