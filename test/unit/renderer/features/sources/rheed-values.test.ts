import { describe, expect, test } from 'vitest';
import { findIdFault, toSourceId } from '../../../../../src-renderer/features/sources/field-checks.ts';
import {
  findRheedFaults,
  toRheedEntry,
  toRheedValues,
} from '../../../../../src-renderer/features/sources/rheed-values.ts';

describe('the name of a source', () => {
  test.for([
    ['RHEED Kamera', 'RHEED-Kamera'],
    ['  Öfen & Tiegel  ', 'Oefen-Tiegel'],
    ['Drehgeber für Bühne', 'Drehgeber-fuer-Buehne'],
    ['caméra', 'camera'],
    ['chamber-log', 'chamber-log'],
    ['ends-', 'ends-'],
    ['…', ''],
  ])('%s is saved as %s', ([typed, id]) => {
    expect(toSourceId(typed ?? '')).toBe(id);
  });

  test('is missing when nothing of it is left', () => {
    expect(findIdFault('…')).toBe('Give the source a name.');
    expect(findIdFault('RHEED Kamera')).toBeUndefined();
  });
});

describe('the form of a frame counter', () => {
  const typed = { ...toRheedValues(null), id: 'camera', path: '/frames', match: 'a_{frame}.bmp' };

  test('takes decimal commas', () => {
    const values = { ...typed, fps: '10,0', rpm: '4,97' };
    expect(findRheedFaults(values)).toEqual({});
    expect(toRheedEntry(values, null)).toMatchObject({ fps_capture_rate: 10, rotation_rpm: 4.97 });
    expect(findRheedFaults({ ...typed, rpm: 'fast' }).rpm).toBeDefined();
    expect(findRheedFaults({ ...typed, fps: '0' }).fps).toBeDefined();
  });

  test('asks how a time is written only where the pattern has one, and keeps it', () => {
    const timed = { ...typed, match: 'a_{time}.bmp', timeFormat: 'yyyyMMdd_HHmmss' };
    const entry = toRheedEntry(timed, null);
    expect(entry).toMatchObject({ counter: { match: 'a_{time}.bmp', time_format: 'yyyyMMdd_HHmmss' } });
    expect(toRheedEntry(toRheedValues(entry), entry)).toEqual(entry);
    expect(toRheedEntry({ ...timed, match: 'a_{frame}.bmp' }, entry).counter).not.toHaveProperty('time_format');
  });
});
