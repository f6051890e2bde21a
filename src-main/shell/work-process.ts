import { utilityProcess } from 'electron';
import { type StartWork, WORK_OPTIONS, workEnvironment } from '../platform/work-process.ts';

/** Start a process for heavy work where this one is Electron, whose program file cannot be run as Node. */
export const startDesktopWork: StartWork = (script, folder, { onMessage, onEnd }) => {
  const options = {
    execArgv: WORK_OPTIONS,
    env: workEnvironment(folder),
    stdio: 'ignore',
    serviceName: 'Export',
  } as const;
  const child = utilityProcess.fork(script, [], options);
  child.on('message', onMessage);
  child.once('exit', onEnd);
  return { send: (message) => child.postMessage(message), kill: () => void child.kill() };
};
