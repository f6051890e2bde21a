// The calls of a page as Electron's main process gets them, for tests under plain Node.
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

type IpcHandler = Parameters<Electron.IpcMain['handle']>[1];

/** Holds one handler for each channel, as the real one does. */
export class FakeIpcMain extends EventEmitter implements Pick<Electron.IpcMain, 'handle' | 'removeHandler'> {
  readonly handlers = new Map<string, IpcHandler>();

  handle(channel: string, handler: IpcHandler): void {
    if (this.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.handlers.set(channel, handler);
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel);
  }
}
