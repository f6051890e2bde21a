// A lab's own certificate authority, and certificates signed by it, made with the system's openssl.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../temp-folder.ts';
import type { Certificate } from './middleman.ts';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** `YYYYMMDDHHMMSSZ`, as openssl takes it. */
const stamp = (timeMs: number) => `${new Date(timeMs).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`;

export class SmallCa {
  readonly #folder = tempFolder('small-ca');
  /** File with the authority's certificate (PEM): what `service.ca_file` names. */
  readonly file = join(this.#folder, 'ca.pem');

  /**
   * @param name - the name that stands in its certificates as their issuer.
   */
  constructor(name: string) {
    this.#run(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca-key.pem',
      '-out',
      this.file,
      '-days',
      '36500',
      '-subj',
      `/O=${name}`,
    );
    writeFileSync(join(this.#folder, 'index.txt'), '');
    writeFileSync(join(this.#folder, 'serial'), '01');
    const lines = ['[ca]', 'default_ca=d', '[d]', 'database=index.txt', 'serial=serial', 'new_certs_dir=.'];
    lines.push(
      'default_md=sha256',
      'policy=p',
      'copy_extensions=copy',
      'unique_subject=no',
      '[p]',
      'commonName=supplied',
    );
    writeFileSync(join(this.#folder, 'ca.cnf'), lines.join('\n'));
  }

  /** A certificate for a host, valid from and until these times, Unix milliseconds. */
  sign(fromMs: number, untilMs: number, host = 'localhost'): Certificate {
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    this.#run('req', '-new', ...NEW_KEY, '-keyout', 'key.pem', '-out', 'request.pem', ...subject);
    const dates = ['-startdate', stamp(fromMs), '-enddate', stamp(untilMs)];
    const authority = ['-cert', 'ca.pem', '-keyfile', 'ca-key.pem'];
    this.#run(
      'ca',
      '-batch',
      '-config',
      'ca.cnf',
      ...authority,
      '-in',
      'request.pem',
      '-out',
      'cert.pem',
      '-notext',
      ...dates,
    );
    const read = (name: string) => readFileSync(join(this.#folder, name), 'utf8');
    return { key: read('key.pem'), cert: read('cert.pem') };
  }

  #run(...args: string[]): void {
    execFileSync('openssl', args, { stdio: 'pipe', cwd: this.#folder });
  }
}
