// The protocol families there are. Adding one is a file here and a line below.
import type { Family } from '../family.ts';
import { ackEnq } from './ack-enq.ts';
import { aeBus } from './ae-bus.ts';
import { agilentWindow } from './agilent-window.ts';
import { ajaDcxs } from './aja-dcxs.ts';
import { bpgStream } from './bpg-stream.ts';
import { brooksAz } from './brooks-az.ts';
import { cxn } from './cxn.ts';
import { eiBisynch } from './ei-bisynch.ts';
import { exactus } from './exactus.ts';
import { gammaVacuum } from './gamma-vacuum.ts';
import { genesys } from './genesys.ts';
import { hashAddress } from './hash-address.ts';
import { inficonAck } from './inficon-ack.ts';
import { inficonBinary } from './inficon-binary.ts';
import { inficonCrcFrames } from './inficon-crc.ts';
import { leyboldGraphix } from './leybold-graphix.ts';
import { lineAscii } from './line-ascii.ts';
import { maxtek } from './maxtek.ts';
import { mksAt } from './mks-at.ts';
import { mksMfc } from './mks-mfc.ts';
import { modbus } from './modbus.ts';
import { pfeifferTelegram } from './pfeiffer-telegram.ts';
import { propar } from './propar.ts';
import { smdp } from './smdp.ts';
import { srsRga } from './srs-rga.ts';
import { sumitomo } from './sumitomo.ts';
import { upp } from './upp.ts';

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
