// The last line of a test run: "N passed, N failed", after a line that says what was left out and which programs it needs.
// With CI=true a skipped test is named and fails the run; only the smoke test on real Electron may skip, since its runtime
// cannot be had everywhere. With -t only tests of such a name run, and the number of the others is printed.
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { missingTools } from './tools.ts';

const MAY_SKIP = /real Electron/;

export default class Tally implements Reporter {
  #isByName = false;

  onInit(vitest: Vitest): void {
    this.#isByName = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    const skipped: string[] = [];
    for (const module of modules) {
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped.push(test.fullName);
      }
    }
    const forbidden = process.env.CI ? skipped.filter((name) => !MAY_SKIP.test(name)) : [];
    if (this.#isByName) console.log(`${skipped.length} skipped, most of them for their names`);
    else if (skipped.length > 0) {
      const [count, tools] = [skipped.length === 1 ? '1 test' : `${skipped.length} tests`, missingTools()];
      console.log(`Left out: ${count}. This machine has no ${tools.join(', ') || 'such system'}.`);
    }
    if (forbidden.length > 0) {
      for (const name of forbidden) console.log(`skipped: ${name}`);
      console.log(`${forbidden.length} skipped tests count as failed under CI`);
      process.exitCode = 1;
    }
    console.log(`${passed} passed, ${failed + forbidden.length} failed`);
  }
}
