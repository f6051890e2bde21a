// The sets of questions of text instruments: each lets through what its instruments are asked, and nothing that acts. A set
// that is not in the table below fails.
import { describe, expect, test } from 'vitest';
import { COMMAND_SETS, refuseCommand } from '../../../../../src-main/sources/serial/families/text/ascii-commands.ts';

const SETS: Readonly<Record<string, { readonly asks: readonly string[]; readonly acts: readonly string[] }>> = {
  scpi: {
    asks: ['*IDN?', 'FETC?', ':SOUR:VOLT?', 'OUTP:STAT?'],
    acts: ['*RST', 'SETP 1,300', '*CAL?', 'READ?', ':MEAS?', ':MEAS:VOLT?', 'INIT?', 'KRDG? A', 'FETC?;*RST'],
  },
  // Only on the supplies that its identity names.
  'scpi-supply': {
    asks: ['*IDN?', 'MEAS:VOLT?', ':MEASURE:SCALAR:CURR:DC?', 'MEAS:VOLT? P6V', 'MEAS:POW? CH1', 'VOLT?'],
    acts: ['MEAS?', 'MEAS:RES?', 'MEAS:VOLT:AC?', 'MEAS:VOLT? 10,0.001', 'OUTP ON', 'READ?', 'VOLT 5', 'APPL 5,1'],
  },
  // On a 336 asking for the status of a heater clears its error.
  lakeshore: {
    asks: ['*IDN?', 'KRDG? A', 'KRDG? 0', 'SRDG? D5', 'RDGK? 16', 'RDGR? A', 'RDGST? 8', 'SETP? 1', 'HTR? 1', 'HTR?'],
    acts: [
      'HTRST? 1',
      'SETP 1,300',
      'RANGE 1,3',
      '*RST',
      '*TST?',
      'KRDG? A;SETP 1,300',
      'DFLT 99',
      'RDGRNG 1,0,5,10,0,0',
      'RDGRNG? 1;RDGRNG 1,0,5,10,0,0',
      'SCAN 1,1',
      'krdg? a',
      'ALMRST',
    ],
  },
  getters: {
    asks: ['STATUS', 'GET_ANALOG_INPUTS', 'PR?', 'temp2?', 'A?', '*IDN?', 'READ_INPUT 3'],
    acts: [
      'RELAY 1 ON',
      'SET_RELAY',
      'STATUS;SET',
      'READ?',
      'INIT?',
      'SELFTEST?',
      'ZERO?',
      'R?',
      'Z?',
      'GET_X -5',
      'MEAS?',
    ],
  },
  // The ion gauge, its degas and the relays are switched by words close to those that read.
  granville: {
    asks: ['DS IG', 'DS IG1', 'DS CG2', 'PCS', 'PCS B', 'DGS'],
    acts: ['IG1 ON', 'IG2 OFF', 'IG ON', 'DG ON', 'DG OFF', 'DG', 'PC1 1.0E-6', 'DS IG1 IG1 ON', 'DS', 'ds cg1'],
  },
  'mks-937a': {
    asks: ['P1', 'PZ', 'C1', 'UNIT', 'GAUGES', '$02P3'],
    acts: ['ECC1', 'ECC1:ON', 'P1!', 'P6', 'UNIT TORR', 'EHC1', 'RE1', '$2P1', 'FRONT'],
  },
  'mks-pr4000': {
    asks: ['?AV1', '?AC2', '?ID', '?ST', '?RG1', '@12?AV1'],
    acts: ['AV1,5', 'OF1,0.012', '!OF1', '?AV', 'SP1,50', 'VL1,ON', 'RG1,100,17', '?OF1', '@12!OF1', 'AV1', 'ST'],
  },
  // A number sets what R asks for; ON and OF move valves.
  'mks-647': {
    asks: ['FL 1', 'FL 8', 'ST 2', 'FS 1 R', 'RA 1 R', 'GC 3 R', 'PU R', 'PR', 'ID'],
    acts: [
      'ON 0',
      'OF 0',
      'ON 1',
      'FS 1 500',
      'RA 1 3',
      'GC 1 100',
      'PU 4',
      'PS 500',
      'RE',
      'DF',
      'KD',
      'MO 1 0',
      'FL 9',
      'FS 1',
    ],
  },
  // O and C drive the valve, D activates a set point, L learns; R reports whatever its number.
  'mks-651': {
    asks: ['R5', 'R6', 'R0', 'R10', 'R33', 'R38'],
    acts: ['O', 'C', 'H', 'D1', 'L', 'S1 30', 'T11', 'R', 'R5 1', 'R99', 'r5', '#R5', '@O', 'RBE', 'R5;O', 'Z1'],
  },
  'mks-pdr2000': { asks: ['p', 'u', 'v'], acts: ['z', 'P', '1x', 'pp', ''] },
  // READ? of a meter starts a reading; a source is never asked so, since it may switch its output on.
  'keithley-meter': {
    asks: ['READ?', ':READ?', 'FETCH?', '*IDN?'],
    acts: ['*RST', 'INIT', 'OUTP ON', 'MEAS:VOLT?', 'CONF:CURR', 'SYST:ZCH ON', 'READ?;:OUTP ON', '*TST?'],
  },
  alicat: { asks: ['A', 'C'], acts: ['AS10.5', 'AV', 'AP', 'A@=B', 'AHC', 'A$$H', 'a', 'AB', '@@=A', 'AW91=50'] },
  cryocon: {
    asks: ['*IDN?', 'INPUT? A', 'INPUT D:UNITS?'],
    acts: [
      'INPUT A:UNITS K',
      'STOP',
      'CONTROL',
      '*RST',
      'LOOP 1:SETPT 300',
      'INPUT? A;STOP',
      'INPUT A:UNITS? K',
      'input? a',
    ],
  },
  'edwards-tic': { asks: ['?V913', '?S902'], acts: ['!C904 1', '!S913 1', '!C913 1', '?C913', '?V', '?V913;!C904 1'] },
  // HV switches the high voltage of the Penning gauge; W in the place of R sets.
  'leybold-mes': {
    asks: ['MES R TM1', 'MES R TM2', 'MES R PM1', 'MES R PM'],
    acts: ['HVs w pm1,On', 'HVS W PM1,ON', 'MES W TM1', 'MES R', 'MES R TM1,ON', 'MES R TM1;HVS W PM1,ON', 'mes r tm1'],
  },
  fug: {
    asks: ['>M0?', '>M1?', '>S0A?', '>DON?', '>CFN?'],
    acts: ['=', 'F1', 'F0', '>BON 1', '>S0 100', '>M0', '>S0?1', '>M0? >S0 1', '>BON?', '>m0?', '>KT?'],
  },
  julabo: {
    asks: ['VERSION', 'IN_PV_00', 'in_sp_00'],
    acts: [
      'OUT_SP_00 25',
      'OUT_MODE_05 1',
      'IN_SP_00 25',
      'IN_SP_06',
      'IN_MODE_05',
      'IN_PV_00 OUT_MODE_05 1',
      'IN_PV_04',
    ],
  },
  // A value behind the signal switches, even behind READ.
  mercury: {
    asks: ['*IDN?', 'READ:DEV:MB1.T1:TEMP:SIG:TEMP', 'READ:DEV:DB1.H1:HTR:SIG:POWR'],
    acts: [
      'READ:DEV:GRPZ:PSU:SIG:SWHT:ON',
      'SET:DEV:MB1.T1:TEMP:LOOP:TSET:5K',
      'READ:DEV:MB1.T1:TEMP:SIG:TEMP:5K',
      'READ:DEV:MB1.T1:TEMP:LOOP:ENAB:OFF',
      'SET:SYS:RST',
      'READ:DEV:A:B:TEMP:SIG:TEMP',
    ],
  },
  // A number before W sets the power; single letters switch it.
  seren: { asks: ['W?', 'R?'], acts: ['G', 'S', '100 W', 'W', 'SERIAL', 'PANEL', 'ANALOG', 'Q', 'w?', 'W?G', 'ECHO'] },
  vacuubrand: { asks: ['IN_PV_1'], acts: ['OUT_SP_1 5', 'START', 'STOP 1', 'REMOTE 1', 'IN_PV_1 OUT_SP_1'] },
  // 30 with 1 switches the high voltage on, 06 resets the line, 66 and 71 set.
  'varian-dual': {
    asks: ['#102?', '#003?', '#207?', '#108?', '#130?', '#302?'],
    acts: ['#1301', '#1300', '#006?', '#0031', '#166?', '#171?', '#180?', '#502?', '#102', '102?', '#130?1', '#10 2?'],
  },
};

test('every set has its list', () => {
  expect(Object.keys(SETS).sort()).toEqual(Object.keys(COMMAND_SETS).sort());
});

describe.each(Object.entries(SETS))('%s', (name, { asks, acts }) => {
  test.each(asks)('lets through %j', (text) => {
    expect(refuseCommand(name, text, '\r')).toBeNull();
  });

  test.each(acts.flatMap((text) => [text, ...asks.slice(0, 1).map((ask) => `${ask}\r${text}`)]))(
    'refuses %j',
    (text) => {
      expect(refuseCommand(name, text, '\r')).toMatch(/is not known to only read/);
    },
  );
});

test('questions without an end could be put together to a command: only single characters of their own set go so', () => {
  for (const name of Object.keys(SETS)) {
    const ask = SETS[name]?.asks[0] ?? '';
    const refusal = refuseCommand(name, ask, '');
    if (name === 'mks-pdr2000') expect(refusal).toBeNull();
    else expect(refusal, name).toContain('has no end');
  }
});
