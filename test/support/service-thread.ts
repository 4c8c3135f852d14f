/** A service in a thread of the tests' process. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '../../src/config.ts';
import { monitorEventLoop } from '../../src/process/event-loop-monitor.ts';
import { createLog } from '../../src/process/log.ts';
import { startService } from '../../src/service.ts';

export type FromService = { url: string } | { standstill: number };

const port = parentPort as MessagePort;
const tell = (message: FromService) => port.postMessage(message);

const config = readConfig(workerData as NodeJS.ProcessEnv);
const service = await startService(config, createLog(config.logLevel));
const stopWatching = monitorEventLoop((standstill) => tell({ standstill }));
tell({ url: service.url });
port.once('message', async () => {
  stopWatching();
  await service.stop();
  port.close();
});
