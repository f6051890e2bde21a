// What kind of address a host has: whether a link from outside may make this PC ask it.
import { BlockList, isIP } from 'node:net';

/** `never`: link-local, multicast, unspecified, reserved: no service has such an address. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'never';

type Range = readonly [network: string, bits: number, family: 'ipv4' | 'ipv6'];

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, bits, family] of ranges) list.addSubnet(network, bits, family);
  return list;
}

// Source: the IANA special-purpose address registries. An IPv4 range also holds its addresses written as IPv6.
const loopback = listOf([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);
const lan = listOf([
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
]);
const never = listOf([
  ['0.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/**
 * Classify an address.
 *
 * @param text - an IPv4 or IPv6 address, brackets allowed.
 * @returns its class; `never` for what is no address.
 */
export function classifyAddress(text: string): AddressClass {
  const address = text.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family === 0) return 'never';
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (loopback.check(address, type)) return 'loopback';
  if (lan.check(address, type)) return 'private';
  return never.check(address, type) ? 'never' : 'public';
}
