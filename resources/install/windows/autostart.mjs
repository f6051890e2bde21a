// "autostart.mjs install [words for Epistream]" and "autostart.mjs remove": a task of Windows' Task Scheduler that starts
// Epistream when this user logs on. A task that is made by hand stops what it started after three days, does not start on
// battery, runs below normal priority and finds no "npm": the file that this writes says otherwise.
//
// It runs as the user who is logged on: such a task reaches shares, and needs no stored password.
// Source: https://learn.microsoft.com/windows/win32/taskschd/task-scheduler-schema
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';

const TASK = 'Epistream';

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A word as programs of Windows read it: quoted when it holds a blank; backslashes before a quote are doubled. */
const quote = (word) =>
  /^[^\s"]+$/.test(word) ? word : `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;

/**
 * Write the task.
 *
 * @param folder where the product was unpacked, an absolute path of Windows.
 * @param user `DOMAIN\name`.
 * @param words what follows `run`, for example `--data D`.
 * @returns the XML of the Task Scheduler.
 */
export function makeTask(folder, user, words) {
  const script = win32.join(folder, 'dist', 'main', 'cli.js');
  const given = ['--max-semi-space-size=2', script, 'run', '--ui', '4310', '--open', ...words];
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Records and delivers what this tool measures. Ctrl+C in its window ends it.</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
      <UserId>${escapeXml(user)}</UserId>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${escapeXml(user)}</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <IdleSettings>
      <StopOnIdleEnd>false</StopOnIdleEnd>
    </IdleSettings>
    <Enabled>true</Enabled>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${escapeXml(win32.join(folder, 'node.exe'))}</Command>
      <Arguments>${escapeXml(given.map(quote).join(' '))}</Arguments>
      <WorkingDirectory>${escapeXml(folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** Hand a command line to the Task Scheduler; it prints what it did or why not. */
function schtasks(...args) {
  const { status, error } = spawnSync('schtasks.exe', args, { stdio: 'inherit' });
  if (error) console.error(`The Task Scheduler could not be asked: ${error.message}`);
  return status ?? 1;
}

function install(words) {
  const folder = mkdtempSync(join(tmpdir(), 'epistream-task-'));
  const file = join(folder, 'task.xml');
  try {
    const user = `${process.env.USERDOMAIN}\\${process.env.USERNAME}`;
    writeFileSync(file, `\uFEFF${makeTask(import.meta.dirname, user, words)}`, 'utf16le');
    const code = schtasks('/Create', '/TN', TASK, '/XML', file, '/F');
    if (code === 0) console.log('Epistream starts when you log on. To start it now: schtasks /Run /TN Epistream');
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [what, ...words] = process.argv.slice(2);
  if (what === 'install') process.exitCode = install(words);
  else if (what === 'remove') process.exitCode = schtasks('/Delete', '/TN', TASK, '/F');
  else {
    console.error('autostart.mjs install [words for Epistream] | remove');
    process.exitCode = 2;
  }
}
