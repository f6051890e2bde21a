// Takes the lock of a folder and keeps it until it is killed.
import { takeInstanceLock } from '../../../src-main/platform/instance-lock.ts';

const [, , folder = ''] = process.argv;
const lock = await takeInstanceLock(folder, Date.now());

process.send?.('holder' in lock ? lock.holder.pid : 'held');
setInterval(() => {}, 1000);
