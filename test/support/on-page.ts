// What a person finds on a page, by its role and its name.
import type { Page } from 'playwright-core';

const named = (role: 'button' | 'textbox' | 'region' | 'link') => (page: Page, name: string | RegExp) =>
  page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name });

export const button = named('button');
export const field = named('textbox');
export const panel = named('region');
export const link = named('link');
