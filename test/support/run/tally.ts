// The last line of a test run: "N passed, N failed", after the names of what was skipped. With -t only tests of such a name
// are run, and the rest is told as a number: a thousand names would hide what went wrong. With CI=true a skipped test fails
// the run; only the smoke test on real Electron may skip, since its runtime cannot be had everywhere.
import type { Reporter, TestModule, Vitest } from 'vitest/node';

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
    else for (const name of skipped) console.log(`skipped: ${name}`);
    if (forbidden.length > 0) {
      console.log(`${forbidden.length} skipped tests count as failed under CI`);
      process.exitCode = 1;
    }
    console.log(`${passed} passed, ${failed + forbidden.length} failed`);
  }
}
