// Electron's processes for work: a real one, of Node, with the port that Electron gives its own.
import { fork } from 'node:child_process';

/** Gives a Node process the port that Electron's processes have. */
const PARENT_PORT = `data:text/javascript,${encodeURIComponent(
  "process.parentPort={on:(_,hear)=>process.on('message',(data)=>hear({data})),postMessage:(message)=>process.send(message)}",
)}`;

export const utilityProcess = {
  fork(script: string, words: string[], { execArgv, env }: { execArgv: string[]; env: Record<string, string> }) {
    const child = fork(script, words, { execArgv: [...execArgv, '--import', PARENT_PORT], env, stdio: 'inherit' });
    const postMessage = (message: object) => void child.send(message);
    return { on: child.on.bind(child), once: child.once.bind(child), postMessage, kill: () => child.kill() };
  },
};
