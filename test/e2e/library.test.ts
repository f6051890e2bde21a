// The page Library in a real browser, over the real agent and the embedded service.
import { expect, test } from 'vitest';
import { openCatalogueWorld } from '../support/page/catalogue-world.ts';

const eventually = <T>(read: () => T, { timeout = 60_000 } = {}) => expect.poll(read, { timeout });

test('draws target materials on their substrate and changes a layer in place, by keyboard alone', async () => {
  const { page, problems, goTo } = await openCatalogueWorld();
  await goTo('/library');
  const stack = page.getByRole('list', { name: 'Layers of GaAs/AlGaAs/InGaAs on GaAs, top first' });
  await eventually(async () =>
    (await stack.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0]),
  ).toEqual(['3', '2', '1', 'substrate']);
  await stack.getByRole('button', { name: 'Change layer 1, In0.2Ga0.8As' }).press('Enter');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('In0.25Ga0.75As');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('In 0.25 Ga');
  await page.getByText('"In 0.25 Ga" is not an element with an amount').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('In 0.25, Ga 0.75, As 1');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await eventually(() => stack.getByRole('listitem').nth(2).innerText()).toMatch(
    /In0\.25Ga0\.75As\s+In 0\.25, Ga 0\.75, As 1 · \(001\)\s+Change/,
  );
  expect(problems).toEqual([]);
});

test('makes an instrument and a project, gives it samples, knows both after a reload, and says the words of the service where it refuses', async () => {
  const { page, problems, goTo } = await openCatalogueWorld();
  await goTo('/library');
  const instruments = page.getByRole('region', { name: 'Instruments' });
  await instruments.getByRole('button', { name: 'New instrument' }).click();
  await instruments.getByRole('button', { name: 'Make instrument' }).click();
  await instruments.getByText('Give it a name, for example MBE-1.').waitFor();
  await instruments.getByLabel('Name of the instrument').fill('MBE-7 <b>');
  await instruments.getByLabel('Label').fill('nitrides');
  await instruments.getByRole('button', { name: 'Make instrument' }).click();
  await instruments.getByText(/MBE-7 <b> has the number \d+ at the service\./).waitFor();

  const projects = page.getByRole('region', { name: 'Projects and samples' });
  await projects.getByRole('button', { name: 'New project' }).click();
  await projects.getByLabel('Name of the project').fill('Nitride lasers');
  await projects.getByRole('button', { name: 'Create project' }).click();
  await projects.getByText(/The project Nitride lasers has the id/).waitFor();
  await projects.getByRole('button', { name: 'Samples of Nitride lasers' }).click();
  const form = projects.getByRole('form', { name: 'Samples of Nitride lasers' });
  await form.getByRole('checkbox', { name: /STO-112/ }).check();
  await form.getByRole('button', { name: 'Add samples' }).click();
  await form.getByText('The project now has 1 sample.').waitFor();
  await form.getByRole('checkbox', { name: /STO-112/ }).uncheck();
  await form.getByRole('checkbox', { name: /NNO-009/ }).check();
  await form.getByRole('radio', { name: 'Replace all' }).check();
  await form.getByRole('button', { name: 'Replace samples' }).click();
  await eventually(() => form.innerText()).toMatch(/now has 1 sample\.[\s\S]*NNO-009/);

  await page.reload();
  await eventually(() => instruments.innerText()).toMatch(/MBE-7 <b>[\s\S]*there may be others/);
  await eventually(() => projects.innerText()).toMatch(/Nitride lasers[\s\S]*1 sample[\s\S]*Oxide heterostructures/);
  await eventually(() => projects.innerText()).toContain('there may be others');

  await projects.getByRole('button', { name: 'Another project by its id' }).click();
  await projects.getByLabel('Id of the project').fill('no-such-project');
  await projects.getByLabel('Further samples by id').fill('no-such-sample');
  await projects.getByRole('button', { name: 'Add samples' }).click();
  await eventually(() => projects.getByRole('alert').innerText()).toMatch(
    /404[\s\S]*no-such-[\s\S]*Nothing was changed/,
  );
  expect(problems).toEqual([]);
});

test('says in plain words that the service is away, since when, and what to do, here and in the catalogue', async () => {
  const { agent, service, page, problems, goTo } = await openCatalogueWorld();
  await eventually(() => agent.snapshot.service?.state).toBe('connected');
  await service.stop();
  await eventually(() => agent.snapshot.service?.state).toBe('offline');
  const away = /The service cannot be reached\. No connection since [\s\S]*wait until it is started again\./;
  await goTo('/library');
  await eventually(() => page.getByTestId('targets').innerText()).toMatch(away);
  const projects = page.getByRole('region', { name: 'Projects and samples' });
  await eventually(() => projects.innerText()).toContain('The service cannot be reached.');
  const main = page.locator('main');
  expect(await main.innerText()).not.toMatch(/ECONN|GET|POST/);
  await projects.getByRole('button', { name: 'New project' }).click();
  await projects.getByLabel('Name of the project').fill('Nitride lasers');
  await projects.getByRole('button', { name: 'Create project' }).click();
  await eventually(() => projects.getByRole('alert').innerText()).toMatch(
    /The service cannot be reached\.\s*Nothing was changed\./,
  );
  await goTo('/catalogue');
  await eventually(() => page.getByTestId('query-fault').innerText()).toMatch(away);
  expect(await main.innerText()).not.toMatch(/ECONN|GET|POST/);
  expect(problems).toEqual([]);
});
