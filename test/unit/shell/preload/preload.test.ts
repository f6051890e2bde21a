import { expect, test, vi } from 'vitest';
import { type Bridge, callNames } from '../../../../src-main/contract/table.ts';

/** Run the preload as a new window does, with an Electron of its own. */
async function loadPreload() {
  vi.resetModules();
  const { fake, ipcMain, ipcRenderer } = await import('../../../fakes/electron.ts');
  await import('../../../../src-main/shell/preload/preload.ts');
  return { bridge: fake.exposed.get('epistream') as Bridge, exposed: fake.exposed, ipcMain, ipcRenderer };
}

test('puts the bridge into the page and nothing else', async () => {
  const { bridge, exposed } = await loadPreload();
  expect([...exposed.keys()]).toEqual(['epistream']);
  const names = Object.entries(bridge).flatMap(([noun, verbs]) =>
    noun === 'on' ? [] : Object.keys(verbs).map((verb) => `${noun}.${verb}`),
  );
  expect(names).toEqual(callNames);
});

test('carries a call to its channel and its answer back', async () => {
  const { bridge, ipcMain } = await loadPreload();
  ipcMain.handle('trial.start', (_event, argument) => ({ ok: true, value: [argument] }));
  expect(await bridge.trial.start(null)).toEqual({ ok: true, value: [null] });
});

test('answers instead of throwing when nobody handles a call', async () => {
  const { bridge } = await loadPreload();
  expect(await bridge.trial.start(null)).toMatchObject({ ok: false, error: { code: 'link.lost' } });
});

test('hands values of a feed to the page without the event, until told to stop', async () => {
  const { bridge, ipcRenderer } = await loadPreload();
  const heard: unknown[][] = [];
  const stop = bridge.on('snapshot', (...values) => heard.push(values));
  ipcRenderer.emit('snapshot', { sender: 'electron' }, { revision: 1 });
  expect(heard).toEqual([[{ revision: 1 }]]);
  stop();
  ipcRenderer.emit('snapshot', { sender: 'electron' }, { revision: 2 });
  expect(heard).toHaveLength(1);
  expect(ipcRenderer.listenerCount('snapshot')).toBe(0);
});
