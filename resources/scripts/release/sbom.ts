// The list of what an artefact is made of, as CycloneDX 1.6 has it: Node, the packages beside the bundles, and those that the
// bundler took in. Without time and serial number, which the format leaves open, so that the same release has the same list.
// Source: https://cyclonedx.org/docs/1.6/json/, package URLs: https://github.com/package-url/purl-spec.
import manifest from '../../../package.json' with { type: 'json' };
import devNode from '../../dev-node/package.json' with { type: 'json' };
import { listThirdParties } from '../third-party.ts';
import { type LockedPackage, readLock } from './locked-packages.ts';
import { listReleased, type Target } from './product-tree.ts';

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function component({ name, version, licence, integrity }: LockedPackage) {
  const purl = purlOf(name, version);
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: name in devNode.optionalDependencies ? 'platform' : 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: [{ expression: licence }],
    purl,
    hashes: [{ alg: 'SHA-512', content }],
  };
}

/**
 * Write the list of an artefact.
 *
 * @param top the repository, with node_modules installed.
 * @returns JSON text.
 */
export function makeSbom(top: string, target: Target): string {
  const { beside, node } = listReleased(top, target);
  const lock = readLock(top);
  const bundled = listThirdParties(top).flatMap(
    ({ name, version }) => lock.find((one) => one.name === name && one.version === version) ?? [],
  );
  const all = new Map(
    [...(node ? [node] : []), ...beside, ...bundled].map((one) => [`${one.name}@${one.version}`, one]),
  );
  const components = [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => component(one));
  const { name, version, license } = manifest;
  const own = { type: 'application', name, version, licenses: [{ expression: license }], purl: purlOf(name, version) };
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component: own }, components };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
