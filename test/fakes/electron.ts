// Electron for tests under plain Node. Every part says which part of the real interface it plays, so that the typings of
// Electron keep it honest: what the real one does not take does not compile here either. It behaves, as far as the shell
// can tell, and writes down what was done; it draws nothing.
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { FakeIpcMain } from './electron-ipc.ts';
import { FakeClientRequest, FakeWebRequest, fetchThrough } from './electron-net.ts';

/** An event that a listener can prevent, as Electron hands it out. */
export function makeEvent(): { defaultPrevented: boolean; preventDefault(): void } {
  const event = {
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event;
}

class FakeWebContents
  extends EventEmitter
  implements Pick<Electron.WebContents, 'send' | 'setWindowOpenHandler' | 'reload'>
{
  readonly mainFrame = { url: '' } as Electron.WebFrameMain;
  readonly sent: [channel: string, ...values: unknown[]][] = [];
  openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] | null = null;
  reloads = 0;

  send(channel: string, ...values: unknown[]): void {
    this.sent.push([channel, ...structuredClone(values)]);
  }

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.openHandler = handler;
  }

  reload(): void {
    this.reloads += 1;
  }
}

type WindowPart =
  | 'show'
  | 'hide'
  | 'focus'
  | 'restore'
  | 'isVisible'
  | 'isMinimized'
  | 'isDestroyed'
  | 'loadURL'
  | 'close';

class FakeBrowserWindow extends EventEmitter implements Pick<Electron.BrowserWindow, WindowPart> {
  readonly webContents = new FakeWebContents();
  readonly options: Electron.BrowserWindowConstructorOptions;
  state: 'hidden' | 'shown' | 'minimised' | 'destroyed';
  focusCount = 0;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    this.options = options;
    this.state = options.show === false ? 'hidden' : 'shown';
    fake.windows.push(this);
    app.emit('web-contents-created', makeEvent(), this.webContents);
  }

  show(): void {
    this.state = 'shown';
  }

  hide(): void {
    this.state = 'hidden';
  }

  focus(): void {
    this.focusCount += 1;
  }

  restore(): void {
    this.state = 'shown';
  }

  isVisible(): boolean {
    return this.state === 'shown';
  }

  isMinimized(): boolean {
    return this.state === 'minimised';
  }

  isDestroyed(): boolean {
    return this.state === 'destroyed';
  }

  async loadURL(url: string): Promise<void> {
    Object.assign(this.webContents.mainFrame, { url });
    this.emit('ready-to-show');
  }

  /** As when somebody clicks the cross. */
  close(): void {
    const event = makeEvent();
    this.emit('close', event);
    if (event.defaultPrevented) return;
    this.state = 'destroyed';
    this.emit('closed');
  }
}

class FakeTray
  extends EventEmitter
  implements Pick<Electron.Tray, 'setContextMenu' | 'setToolTip' | 'setImage' | 'destroy' | 'isDestroyed'>
{
  image: string;
  toolTip = '';
  menu: readonly Electron.MenuItem[] = [];
  menusSet = 0;
  #isDestroyed = false;

  constructor(image: Electron.NativeImage | string) {
    super();
    this.image = pathOf(image);
    fake.trays.push(this);
  }

  setImage(image: Electron.NativeImage | string): void {
    this.image = pathOf(image);
  }

  setToolTip(text: string): void {
    this.toolTip = text;
  }

  setContextMenu(menu: Electron.Menu | null): void {
    this.menu = menu?.items ?? [];
    this.menusSet += 1;
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }
}

const imagePaths = new WeakMap<object, string>();
const pathOf = (image: Electron.NativeImage | string) =>
  typeof image === 'string' ? image : (imagePaths.get(image) ?? '');

type AppPart =
  | 'whenReady'
  | 'getPath'
  | 'getVersion'
  | 'getName'
  | 'isPackaged'
  | 'quit'
  | 'exit'
  | 'requestSingleInstanceLock'
  | 'enableSandbox'
  | 'setAppUserModelId'
  | 'getLoginItemSettings'
  | 'setLoginItemSettings';

class FakeApp extends EventEmitter implements Pick<Electron.App, AppPart> {
  isPackaged = false;
  /** False plays the second start of the program. */
  hasLock = true;
  isSandboxed = false;
  userData = process.env.FAKE_USER_DATA ?? join(tmpdir(), `epistream-fake-${process.pid}`);
  ended: 'quit' | number | null = null;

  async whenReady(): Promise<void> {}

  getPath(name: Parameters<Electron.App['getPath']>[0]): string {
    return name === 'userData' ? this.userData : join(this.userData, name);
  }

  /** The version that runs. */
  version = '0.0.0-fake';

  getVersion(): string {
    return this.version;
  }

  getName(): string {
    return 'Epistream';
  }

  quit(): void {
    const event = makeEvent();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    for (const window of fake.windows) window.close();
    if (fake.windows.some((window) => !window.isDestroyed())) return;
    this.ended = 'quit';
    this.emit('quit');
  }

  exit(code = 0): void {
    this.ended = code;
    this.emit('quit');
  }

  requestSingleInstanceLock(): boolean {
    return this.hasLock;
  }

  enableSandbox(): void {
    this.isSandboxed = true;
  }

  appUserModelId = '';

  setAppUserModelId(id: string): void {
    this.appUserModelId = id;
  }

  /** What the system keeps about starting with the PC. */
  loginItem: Electron.Settings = { openAtLogin: false };

  getLoginItemSettings(): Electron.LoginItemSettings {
    const { openAtLogin = false } = this.loginItem;
    return { openAtLogin } as Electron.LoginItemSettings;
  }

  setLoginItemSettings(settings: Electron.Settings): void {
    this.loginItem = settings;
  }
}

type PermissionPart =
  | 'resolveProxy'
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'closeAllConnections'
  | 'fetch';

class FakeSession extends EventEmitter implements Pick<Electron.Session, PermissionPart> {
  requestHandler: Parameters<Electron.Session['setPermissionRequestHandler']>[0] = null;
  checkHandler: Parameters<Electron.Session['setPermissionCheckHandler']>[0] = null;
  deviceHandler: Parameters<Electron.Session['setDevicePermissionHandler']>[0] = null;
  /** What the system says of proxies. */
  proxies = 'DIRECT';

  async resolveProxy(): Promise<string> {
    return this.proxies;
  }

  readonly webRequest = new FakeWebRequest();

  fetch(url: string | Request, options?: RequestInit): Promise<Response> {
    return fetchThrough(this.webRequest, typeof url === 'string' ? url : url.url, options);
  }

  async closeAllConnections(): Promise<void> {
    for (const controller of this.webRequest.running) controller.abort();
    this.webRequest.running.clear();
  }

  setPermissionRequestHandler(handler: FakeSession['requestHandler']): void {
    this.requestHandler = handler;
  }

  setPermissionCheckHandler(handler: FakeSession['checkHandler']): void {
    this.checkHandler = handler;
  }

  setDevicePermissionHandler(handler: FakeSession['deviceHandler']): void {
    this.deviceHandler = handler;
  }
}

class FakeNativeTheme extends EventEmitter implements Pick<Electron.NativeTheme, 'shouldUseDarkColors'> {
  shouldUseDarkColors = false;
}

type SchemeHandler = Parameters<Electron.Protocol['handle']>[1];

/** What the shell did, and the knobs of a test. */
export const fake = {
  windows: [] as FakeBrowserWindow[],
  trays: [] as FakeTray[],
  /** The program's menu; undefined: Electron's own. */
  appMenu: undefined as Electron.Menu | null | undefined,
  schemes: [] as Electron.CustomScheme[],
  schemeHandlers: new Map<string, SchemeHandler>(),
  errorBoxes: [] as [title: string, content: string][],
  exposed: new Map<string, unknown>(),
  /** What keeps the PC awake now, by number. */
  blockers: new Map<number, string>(),
  blockersStarted: 0,
  /** `none`: the system has no key store; `broken`: what was sealed elsewhere cannot be opened. */
  keyStore: 'good' as 'good' | 'none' | 'broken' | 'rotated',
};

export const app = new FakeApp();
export const ipcMain = new FakeIpcMain();
export const nativeTheme = new FakeNativeTheme();
export const powerMonitor = new EventEmitter();
const partitions = new Map<string, FakeSession>();
export const session = {
  defaultSession: new FakeSession(),
  fromPartition: (name: string): FakeSession => {
    const found = partitions.get(name) ?? new FakeSession();
    partitions.set(name, found);
    return found;
  },
};

export const net = {
  request: (options: Electron.ClientRequestConstructorOptions & { session: FakeSession }) =>
    new FakeClientRequest(options, options.session.webRequest),
};

export const protocol = {
  registerSchemesAsPrivileged: (schemes) => void fake.schemes.push(...schemes),
  handle: (scheme, handler) => void fake.schemeHandlers.set(scheme, handler),
} satisfies Partial<Electron.Protocol>;

export const Menu = {
  buildFromTemplate: (items: Electron.MenuItemConstructorOptions[]) => ({ items }) as unknown as Electron.Menu,
  setApplicationMenu: (menu) => void Object.assign(fake, { appMenu: menu }),
} satisfies Partial<typeof Electron.Menu>;

export const nativeImage = {
  createFromPath: (path) => {
    const image = { isEmpty: () => false } as Electron.NativeImage;
    imagePaths.set(image, path);
    return image;
  },
} satisfies Partial<typeof Electron.nativeImage>;

export const powerSaveBlocker = {
  start: (type) => {
    fake.blockers.set(fake.blockersStarted, type);
    fake.blockersStarted += 1;
    return fake.blockersStarted - 1;
  },
  stop: (id) => fake.blockers.delete(id),
} satisfies Partial<Electron.PowerSaveBlocker>;

export const dialog = {
  showErrorBox: (title, content) => void fake.errorBoxes.push([title, content]),
} satisfies Partial<Electron.Dialog>;

export const safeStorage = {
  getSelectedStorageBackend: () => (fake.keyStore === 'none' ? 'basic_text' : 'gnome_libsecret'),
  isAsyncEncryptionAvailable: async () => fake.keyStore !== 'none',
  encryptStringAsync: async (text) => Buffer.from(`sealed:${Buffer.from(text).toString('base64')}`),
  decryptStringAsync: async (sealed) => {
    if (fake.keyStore === 'broken') throw new Error('Error while decrypting the ciphertext');
    const result = Buffer.from(sealed.toString().slice('sealed:'.length), 'base64').toString();
    return { result, shouldReEncrypt: fake.keyStore === 'rotated' };
  },
} satisfies Partial<Electron.SafeStorage>;

export const contextBridge = {
  exposeInMainWorld: (name, api) => void fake.exposed.set(name, api),
} satisfies Partial<Electron.ContextBridge>;

/** The page's end of the channels: calls go to the handlers of `ipcMain` as from the last window's own page. */
class FakeIpcRenderer extends EventEmitter implements Pick<Electron.IpcRenderer, 'invoke'> {
  async invoke(channel: string, ...values: unknown[]): Promise<unknown> {
    const handler = ipcMain.handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    const sender = fake.windows.at(-1)?.webContents;
    const event = { sender, senderFrame: sender?.mainFrame } as unknown as Electron.IpcMainInvokeEvent;
    return structuredClone(await handler(event, ...structuredClone(values)));
  }
}
export const ipcRenderer = new FakeIpcRenderer();

/** Forget everything, as before the program's first line. */
export function resetFake(): void {
  for (const list of [fake.windows, fake.trays, fake.schemes, fake.errorBoxes]) list.length = 0;
  fake.schemeHandlers.clear();
  fake.exposed.clear();
  fake.blockers.clear();
  Object.assign(fake, { blockersStarted: 0, appMenu: undefined, keyStore: 'good' });
  app.loginItem = { openAtLogin: false };
  ipcMain.handlers.clear();
  nativeTheme.shouldUseDarkColors = false;
  Object.assign(app, { hasLock: true, isPackaged: false, isSandboxed: false, ended: null });
  for (const emitter of [app, nativeTheme, powerMonitor, session.defaultSession, ipcRenderer])
    emitter.removeAllListeners();
}

export { utilityProcess } from './electron-process.ts';
export { FakeBrowserWindow as BrowserWindow, FakeTray as Tray };
