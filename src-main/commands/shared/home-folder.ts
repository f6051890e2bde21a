// A home folder for everybody. A user of a container or a service may have neither HOME nor an entry in the system's list of
// users: asking for the home folder then throws, also in libraries, as soon as they are loaded. Such a user gets the root
// folder, as containers do it: what lies below it by default is refused by name, and --data names another place.
import { homedir } from 'node:os';

/**
 * Set HOME where the system knows no home folder. To be called before anything is loaded that asks for one.
 *
 * @param env the environment of this process and those that it starts.
 * @param find as `os.homedir`, which throws where it knows none.
 */
export function settleHome(env: NodeJS.ProcessEnv = process.env, find: () => string = homedir): void {
  try {
    find();
  } catch {
    // Whatever the reason: there is none.
    env.HOME = '/';
  }
}
