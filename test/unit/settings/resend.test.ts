import { expect, test } from 'vitest';
import { parseSettings } from '../../../src-main/settings/parse-settings.ts';

const parse = (service: string) =>
  parseSettings(`version: 1\ntool: { name: MBE-1 }\nservice: ${service}\n`, '/lab/epistream.yaml');
/** The settings of a service that has no fault. */
function serviceOf(service: string) {
  const parsed = parse(service);
  if (!parsed.isValid) throw new Error(JSON.stringify(parsed.faults));
  return parsed.settings.service;
}
const windowOf = (service: string) => {
  const parsed = parse(service);
  return parsed.isValid ? parsed.settings.service.uploadWindow : parsed.faults;
};

test('reads back before sending again unless the embedded service, which replaces, is meant', () => {
  const resendOf = (service: string) => serviceOf(service).resend;
  expect(resendOf('{}')).toBe('repeat');
  expect(resendOf('{ url: https://api.example.org }')).toBe('verify');
  expect(resendOf('{ resend: verify }')).toBe('verify');
  expect(resendOf('{ url: https://api.example.org, resend: repeat }')).toBe('repeat');
});

test('several chunks at a time are for services that replace a repeated one, and are the default there', () => {
  expect(windowOf('{ url: https://api.example.org }')).toBe(1);
  expect(windowOf('{ url: https://api.example.org, upload_window: 1 }')).toBe(1);
  expect(windowOf('{ url: https://api.example.org, resend: repeat }')).toBe(8);
  expect(windowOf('{}')).toBe(8);
  expect(windowOf('{ upload_window: 2 }')).toBe(2);
});

test('elsewhere they are a fault of that line, which says what to do', () => {
  const fault = {
    ...{ line: 3, path: 'service.upload_window', message: '2 chunks at a time need resend: repeat' },
    hint: expect.stringContaining('Set resend: repeat where the service replaces a repeated chunk'),
  };
  expect(windowOf('{ url: https://api.example.org, upload_window: 2 }')).toMatchObject([fault]);
  expect(windowOf('{ resend: verify, upload_window: 2 }')).toMatchObject([fault]);
});

test.each([0, 9, 1.5])('%d is no number of chunks', (bad) => {
  expect(windowOf(`{ upload_window: ${bad} }`)).toHaveLength(1);
});
