// A disk or share that does not answer is no bug of this program: the counter says so and is tried again, as a log is.
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { look } from '../../../../../src-main/sources/rheed/files/walk.ts';
import { withFile } from '../../../../../src-main/sources/rheed/files/with-file.ts';
import { tempFolder } from '../../../../support/temp-folder.ts';

/** A path that the system refuses to open as it refuses a device that is gone (ENXIO): a socket. */
async function unreachableFile(): Promise<string> {
  const path = join(tempFolder('unreachable'), 'frames');
  const server = createServer();
  await new Promise<void>((settle) => server.listen(path, settle));
  onTestFinished(() => void server.close());
  return path;
}

test.skipIf(process.platform === 'win32')(
  'a file whose device does not answer is told and tried again later',
  async () => {
    const path = await unreachableFile();
    await expect(withFile(path, async () => 1)).rejects.toMatchObject({
      code: 'rheed.unreachable',
      retry: 'later',
      message: `${path} cannot be reached (ENXIO).`,
    });
  },
);

test('a name that the system does not take is no file', async () => {
  const folder = tempFolder('names');
  expect(await look(join(folder, 'n'.repeat(300)))).toBeNull();
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
  expect(await withFile(join(folder, 'loop'), async () => 1)).toBeNull();
});
