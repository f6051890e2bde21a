// The protocol families there are. Adding one is a file here and a line below.
import type { Family } from '../protocol/family.ts';
import { aeBus } from './binary/ae-bus.ts';
import { agilentWindow } from './binary/agilent-window.ts';
import { bpgStream } from './binary/bpg-stream.ts';
import { cxn } from './binary/cxn.ts';
import { exactus } from './binary/exactus.ts';
import { inficonBinary } from './binary/inficon-binary.ts';
import { inficonCrcFrames } from './binary/inficon-crc.ts';
import { maxtek } from './binary/maxtek.ts';
import { modbus } from './binary/modbus.ts';
import { smdp } from './binary/smdp.ts';
import { srsRga } from './binary/srs-rga.ts';
import { ackEnq } from './text/ack-enq.ts';
import { ajaDcxs } from './text/aja-dcxs.ts';
import { brooksAz } from './text/brooks-az.ts';
import { eiBisynch } from './text/ei-bisynch.ts';
import { gammaVacuum } from './text/gamma-vacuum.ts';
import { genesys } from './text/genesys.ts';
import { hashAddress } from './text/hash-address.ts';
import { inficonAck } from './text/inficon-ack.ts';
import { leyboldGraphix } from './text/leybold-graphix.ts';
import { lineAscii } from './text/line-ascii.ts';
import { mksAt } from './text/mks-at.ts';
import { mksMfc } from './text/mks-mfc.ts';
import { pfeifferTelegram } from './text/pfeiffer-telegram.ts';
import { propar } from './text/propar.ts';
import { sumitomo } from './text/sumitomo.ts';
import { upp } from './text/upp.ts';

const FAMILIES: readonly Family[] = [
  lineAscii,
  ackEnq,
  aeBus,
  agilentWindow,
  ajaDcxs,
  bpgStream,
  brooksAz,
  cxn,
  eiBisynch,
  exactus,
  gammaVacuum,
  genesys,
  hashAddress,
  inficonAck,
  inficonBinary,
  inficonCrcFrames,
  leyboldGraphix,
  maxtek,
  mksAt,
  mksMfc,
  modbus,
  pfeifferTelegram,
  propar,
  smdp,
  srsRga,
  sumitomo,
  upp,
];

/** All families, by name. */
export const families: ReadonlyMap<string, Family> = new Map(FAMILIES.map((family) => [family.name, family]));
