// From the page Growth to a file that Python opened: the real page in a real browser, the real agent, the process that writes.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tableFromIPC } from 'apache-arrow';
import { readParquet } from 'parquet-wasm/node';
import { expect, test } from 'vitest';
import { useDownloadFolder } from '../support/download-folder.ts';
import { findAccessFaults } from '../support/page/browser.ts';
import { openScreen } from '../support/page/screen.ts';
import { GrowthRig, until } from '../support/rigs/growth-rig.ts';
import { findPythonObstacle } from '../support/rigs/python.ts';

/** The agent is in this process: it must go on while Python reads, or the page says that it is gone, and fades. */
const run = promisify(execFile);

const VALUES = [0, 1 / 3, 2 / 3, 1];

const READ = {
  csv: `
import io, pandas as pd
lines = open(path, encoding="utf8", newline="").read().split("\\r\\n")
head = [line for line in lines if line.startswith("#")]
table = pd.read_csv(io.StringIO("\\n".join(lines)), skiprows=len(head), float_precision="round_trip")
print(list(table[table.columns[3]]))`,
  nexus: `
import h5py
file = h5py.File(path, "r")
print([value for sensor in file["entry/instrument"].values() for value in sensor["value_log/value"][:].tolist()])`,
  'nomad-mbe': `
import json
print(json.load(open(path[:-3] + ".archive.json"))["data"]["m_def"].rsplit(".", 1)[1])`,
  package: `
import json, zipfile
package = zipfile.ZipFile(path)
print(len(json.load(package.open("epistream-export.json"))["series"]), b"name: MBE-1" in package.read("epistream.yaml"))`,
};

const FORMS = [
  { format: 'csv', label: null, clicks: 3, says: '[0.0, 0.3333333333333333, 0.6666666666666666, 1.0]' },
  {
    format: 'nexus',
    label: /HDF5 in the classes/,
    clicks: 5,
    says: '[0.0, 0.3333333333333333, 0.6666666666666666, 1.0]',
  },
  { format: 'nomad-mbe', label: /molecular beam/, clicks: 5, says: 'MolecularBeamEpitaxy' },
  { format: 'package', label: /Package/, clicks: 5, says: '1 True' },
] as const;

const needed = test.skipIf(findPythonObstacle('pandas', 'h5py'));

/** A growth of four readings that has ended, and its agent's page. */
async function openExported() {
  const folder = useDownloadFolder();
  const rig = await GrowthRig.open({ hasCamera: false, hasSimulator: false });
  const agent = await rig.start();
  const { id } = await agent.handlers.growth.start({ name: 'SL 12 =1+1' });
  for (const [n, value] of VALUES.entries()) rig.writeRow(Date.now() + n, value);
  await until('the readings are in', async () => {
    const growth = await agent.handlers.growth.read({ growthId: id });
    return (growth?.parts.flatMap(({ streams }) => streams).reduce((sum, { points }) => sum + points, 0) ?? 0) >= 4;
  });
  await agent.handlers.growth.end(null);

  const { page, problems } = await openScreen(agent);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return { rig, agent, page, problems, folder };
}

needed('a growth is three clicks from a table that Python reads, and five from each other form', async () => {
  const { agent, page, problems, folder } = await openExported();
  for (const [at, { format, label, clicks, says }] of FORMS.entries()) {
    let clicked = 0;
    const click = async (what: { click(): Promise<void> }) => {
      clicked += 1;
      await what.click();
    };
    await click(page.getByRole('link', { name: 'Growth', exact: true }));
    await click(page.getByTestId('past').getByRole('link').first());
    const form = page.getByTestId('export-form');
    if (label) {
      await click(form.getByRole('combobox', { name: 'Form' }));
      await click(page.getByRole('option', { name: label }));
    }
    await click(form.getByRole('button', { name: 'Export', exact: true }));
    await until('the file is written', async () => {
      const { exports } = await agent.handlers.exports.list(null);
      const one = exports.find((view) => view.format === format);
      if (one?.state === 'failed') throw new Error(one.message);
      return one?.state === 'done';
    });
    await form
      .getByText(/4 points written to/)
      .first()
      .waitFor();
    const { exports } = await agent.handlers.exports.list(null);
    const path = exports.find((view) => view.format === format)?.path ?? '';
    expect(path.startsWith(join(folder, 'SL 12 =1+1'))).toBe(true);
    const script = `path = ${JSON.stringify(path)}${READ[format]}`;
    expect((await run('/usr/bin/python3', ['-c', script])).stdout.trim()).toBe(says);
    expect(clicked).toBe(clicks);
    console.log(`${format}: ${clicked} clicks from Growth to a file that Python opened`);
    if (at === 0) expect(await findAccessFaults(page)).toEqual([]);
  }
  expect(problems).toEqual([]);
});

test('from the page come Parquet, an archive for sputter deposition, and a table with decimal commas a row a day', async () => {
  const { agent, page, problems } = await openExported();
  await page.getByRole('link', { name: 'Growth', exact: true }).click();
  await page.getByTestId('past').getByRole('link').first().click();
  const form = page.getByTestId('export-form');
  const choose = async (field: string, option: RegExp) => {
    await form.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const exportNow = async () => {
    const { exports: before } = await agent.handlers.exports.list(null);
    await form.getByRole('button', { name: 'Export', exact: true }).click();
    return until('the file is written', async () => {
      const { exports } = await agent.handlers.exports.list(null);
      const [newest] = exports.length > before.length ? exports : [];
      if (newest?.state === 'failed') throw new Error(newest.message);
      return newest?.state === 'done' ? newest : null;
    });
  };

  await choose('Form', /Parquet/);
  const { path: parquet } = await exportNow();
  const table = tableFromIPC(readParquet(readFileSync(parquet)).intoIPCStream());
  expect([...(table.getChild('value') ?? [])]).toEqual(VALUES);

  await choose('Form', /sputter/);
  const { path: hdf5 } = await exportNow();
  const archive = JSON.parse(readFileSync(hdf5.replace(/\.h5$/, '.archive.json'), 'utf8'));
  expect(archive.data.m_def).toMatch(/\.SputterDeposition$/);

  await choose('Form', /CSV/);
  await choose('Numbers and cells', /1,5 with semicolons/);
  await form.getByLabel('A row every, s').fill('86400');
  await choose('What a row holds', /Largest/);
  const { path: csv, points } = await exportNow();
  const text = readFileSync(csv, 'utf8');
  expect(text).toContain('resampled every 86400000 ms: largest');
  const rows = text.split('\r\n').filter((line) => /^\d/.test(line));
  // A test that runs over midnight UTC has a row of each day.
  expect(rows).toHaveLength(points);
  expect(rows.at(-1)).toMatch(/^\d+;\d{4}-\d\d-\d\dT00:00:00\.000Z;-?\d+(,\d+)?;1$/);
  expect(problems).toEqual([]);
});

test('a stream, its entry in the catalogue, and what Plots show, are exported from their pages, too', async () => {
  const { rig, agent, page, problems } = await openExported();
  const { growths } = await agent.handlers.growth.list({ before: null, limit: 1 });
  const stream = growths[0]?.parts[0]?.streams[0] ?? expect.fail('no stream');
  const { data_id } = await rig.client.initializeStream({ points_per_chunk: 3, stream_name: 'T other 1' });
  const channels = { Ga: { timestamps: [1, 2, 3], values: [0.5, 1, 1.5], units: 'V' } };
  await rig.client.ingestChunk({ data_id, chunk_index: 0, channels });

  const exportHere = async () => {
    const form = page.getByTestId('export-form');
    await form.getByRole('button', { name: 'Export', exact: true }).click();
    const text = await form
      .getByText(/points? written to/)
      .first()
      .textContent();
    const [, points, path = ''] = /^(\d+) points? written to (.*)\.$/.exec(text ?? '') ?? [];
    expect(readFileSync(path, 'utf8')).toContain('# Epistream wide CSV');
    expect(await findAccessFaults(page)).toEqual([]);
    return Number(points);
  };
  const goTo = (path: string) => page.goto(`${new URL(page.url()).origin}/#${path}`);

  await goTo(`/streams/${stream.id}`);
  expect(await exportHere()).toBe(VALUES.length);
  await goTo(`/catalogue/entry/${data_id}`);
  expect(await exportHere()).toBe(3);
  await goTo('/plots');
  await page.getByTestId('plots').waitFor();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  expect(await exportHere()).toBe(VALUES.length);
  expect(problems).toEqual([]);
});
