// A growth leaves Epistream as a file that Python reads without Epistream: every value and instant as in the log.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/command.ts';
import { LogAgent } from '../support/logs/log-agent.ts';
import { findPythonObstacle, runPython } from '../support/rigs/python.ts';

const withPython = test.skipIf(findPythonObstacle('csv'));

/** Prints instant and value of each row of the channel x. */
const READ = `
import csv, json, sys
with open(sys.argv[1], newline='', encoding='utf-8') as file:
    print(json.dumps([[float(row['unix_ms']), float(row['value'])] for row in csv.DictReader(file) if row['channel'] == 'x']))
`;

withPython('an exported stream, read by Python, has each value and instant of the log', async () => {
  const tool = new LogAgent({ url: 'embedded', key: '' });
  tool.write(50);
  appendFileSync(tool.log, '1795154450,-8.9999999999999993e35\n1795154451,0.1\n1795154452,5e-324\n');
  expect(await tool.drain()).toMatchObject({ code: 0, err: '' });
  const [stream] = JSON.parse((await runHere(['receipt', '--data', tool.data, '--json'])).out);
  const out = join(tool.data, 'growth.csv');
  expect(await runHere(['export', '--data', tool.data, '--stream', stream.name, '--out', out])).toMatchObject({
    code: 0,
  });
  const rows = readFileSync(tool.log, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));
  expect(JSON.parse(runPython('-c', READ, out))).toEqual(rows.map(([second = 0, x]) => [second * 1000, x]));
});
