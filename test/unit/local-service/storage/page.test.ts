import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src-main/local-service/storage/sqlite/database.ts';
import { type Filter, pageSql } from '../../../../src-main/local-service/storage/sqlite/page.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const filters: readonly Filter[] = ['data_ids', 'physical_sample_ids', 'part', 'word', 'data_type', 'status', 'own'];
const subsets = Array.from({ length: 2 ** filters.length }, (_, bits) => filters.filter((_, at) => bits & (1 << at)));

describe('the page of the catalogue', () => {
  it('is found without a walk over all entries, whatever the filters', () => {
    const db = openDatabase(tempFolder('service'));
    const values = Object.fromEntries(filters.map((filter) => [filter, filter === 'own' ? 1 : '[]']));
    for (const subset of subsets) {
      const plan = db
        .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${pageSql(subset)}`)
        .all({ ...values, organization: 1, limit: 50, offset: 0 })
        .map(({ detail }) => detail);
      const steps = plan.filter((detail) => /\be\b/.test(detail));
      expect(steps.length, subset.join()).toBeGreaterThan(0);
      for (const step of steps) expect(step, `${subset.join()}: ${plan.join(' | ')}`).toMatch(/^SEARCH e /);
    }
    db.close();
  });

  it('needs no sorting without ids or samples: every other lead gives the newest first', () => {
    const db = openDatabase(tempFolder('service'));
    const values = Object.fromEntries(filters.map((filter) => [filter, filter === 'own' ? 1 : 'x']));
    for (const subset of subsets) {
      if (subset.includes('data_ids') || subset.includes('physical_sample_ids')) continue;
      const plan = db
        .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${pageSql(subset)}`)
        .all({ ...values, organization: 1, limit: 50, offset: 0 });
      expect(plan.map(({ detail }) => detail).join(' | '), subset.join()).not.toContain('TEMP B-TREE');
    }
    db.close();
  });
});
