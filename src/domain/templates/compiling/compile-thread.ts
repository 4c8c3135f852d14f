import { serveTasks } from '../../../threads/serve-tasks.ts';
import { compileTemplate } from './compile-template.ts';

serveTasks(compileTemplate);
