import { expect, test } from 'vitest';
import { crc16 } from '../../../../../../src-main/sources/serial/families/binary/modbus-frames.ts';
import type { VirtualClock } from '../../../../../simulation/virtual-clock.ts';
import { ModbusServer, PlayedModbus } from '../../../../../support/serial/modbus-server.ts';
import { bindFamily, converse, wire } from '../../../../../support/serial/serial-exchange.ts';
import { startPlayedRig, startRig } from '../../../../../support/serial/serial-rig.ts';

const rtu = (protocol = {}, address = 1) => bindFamily('modbus', protocol, address);
const withCrc = (...body: number[]) => {
  const crc = crc16(Uint8Array.from(body));
  return Uint8Array.of(...body, crc & 0xff, crc >> 8);
};
const read = (ask: object, ...answers: Uint8Array[]) => converse(rtu(), ask, answers).reply;

test('asks and reads the examples', () => {
  const one = converse(rtu(), { registers: [1] }, [wire('hex 01 03 02 19 7c b2 35')]);
  expect(one.sent).toEqual([wire('hex 01 03 00 01 00 01 d5 ca')]);
  expect(one.reply).toMatchObject({ kind: 'fields', fields: { 1: 6524 } });
  const five = converse(rtu(), { registers: [1, 2, 3, 5] }, [wire('hex 01 03 0a 19 7c 19 64 01 c7 00 00 19 64 9f 15')]);
  expect(five.sent).toEqual([wire('hex 01 03 00 01 00 05 d4 09')]);
  expect(five.reply).toMatchObject({ fields: { 1: 6524, 2: 6500, 3: 455, 4: 6500 } });
  const exception = converse(rtu(), { registers: [0x4000] }, [wire('hex 01 83 02 c0 f1')]);
  expect(exception.sent).toEqual([wire('hex 01 03 40 00 00 01 91 ca')]);
  expect(exception.reply).toMatchObject({ kind: 'refused', reason: 'exception 2: it has no such register' });
});

test('asks input registers with function 4', () => {
  const { sent, reply } = converse(rtu({}, 7), { read: 'input', registers: [0] }, [withCrc(7, 4, 2, 0xff, 0x85)]);
  expect(sent).toEqual([withCrc(7, 4, 0, 0, 0, 1)]);
  expect(reply).toMatchObject({ fields: { 1: -123 } });
});

test.each([
  ['int16', false, [0x80, 0], -32_768],
  ['uint16', false, [0x80, 0], 32_768],
  ['int32', false, [0xff, 0xff, 0xff, 0xfe], -2],
  ['uint32', false, [0x00, 0x01, 0x00, 0x02], 65_538],
  ['uint32', true, [0x00, 0x02, 0x00, 0x01], 65_538],
  ['float32', false, [0x44, 0x23, 0x19, 0x9a], 652.4000244140625],
  ['float32', true, [0x19, 0x9a, 0x44, 0x23], 652.4000244140625],
])('reads %s, low word first %s', (as, lowFirst, data, value) => {
  const ask = { registers: [10], as, low_word_first: lowFirst };
  expect(read(ask, withCrc(1, 3, data.length, ...data))).toMatchObject({ fields: { 1: value } });
});

test('takes numbers apart that stand side by side', () => {
  const ask = { registers: [12, 10], as: 'float32' };
  expect(read(ask, withCrc(1, 3, 8, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0))).toMatchObject({ fields: { 1: 2, 2: 1 } });
});

test('refuses every reply with one bit changed', () => {
  const good = withCrc(1, 3, 6, 0x19, 0x7c, 0x19, 0x64, 0x01, 0xc7);
  for (let bit = 0; bit < good.length * 8; bit++) {
    const changed = Uint8Array.from(good, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const reply = read({ registers: [1, 2, 3] }, changed);
    expect(reply === null || reply.kind === 'malformed', `bit ${bit}: ${JSON.stringify(reply)}`).toBe(true);
  }
});

test('skips noise and the echo of the question before a reply, waits for one that was cut', () => {
  const good = wire('hex 01 03 02 19 7c b2 35');
  expect(read({ registers: [1] }, Uint8Array.of(0x80, 0x01, 0xfe, ...good))).toMatchObject({ fields: { 1: 6524 } });
  expect(read({ registers: [1] }, good.subarray(0, -1))).toBeNull();
  const echo = wire('hex 01 03 00 01 00 01 d5 ca');
  const echoed = converse(rtu({ echo: true }), { registers: [1] }, [Uint8Array.of(...echo, ...good)]);
  expect(echoed.reply).toMatchObject({ fields: { 1: 6524 } });
});

test('takes no reply of another length: it answers another question', () => {
  expect(read({ registers: [1] }, withCrc(1, 3, 4, 0, 1, 0, 2))).toMatchObject({ kind: 'malformed' });
  const short = read({ registers: [1, 2, 3] }, withCrc(1, 3, 2, 0, 1));
  expect(short).toMatchObject({ kind: 'malformed', reason: 'it answers 1 words, 3 were asked for' });
});

test('asks one by one where a unit answers one word whatever was asked, and that is allowed', () => {
  const word = (value: number) => withCrc(1, 3, 2, value >> 8, value & 0xff);
  const family = rtu({ one_word_replies: true });
  const { sent, reply } = converse(family, { registers: [1, 2, 5] }, [word(652), word(652), word(650), word(649)]);
  expect(sent).toEqual(
    [
      [1, 5],
      [1, 1],
      [2, 1],
      [5, 1],
    ].map(([first = 0, count = 0]) => withCrc(1, 3, 0, first, 0, count)),
  );
  expect(reply).toMatchObject({ fields: { 1: 652, 2: 650, 3: 649 } });
  expect(converse(family, { registers: [1, 2, 3] }, [withCrc(1, 3, 4, 0, 1, 0, 2)]).reply).toMatchObject({
    kind: 'malformed',
  });
});

test('tells every TCP question from the one before it', () => {
  const tcp = bindFamily('modbus', { framing: 'tcp' }, 1);
  const [first, second] = [1, 2].map(() => converse(tcp, { registers: [1] }, []).sent[0] as Uint8Array);
  expect(first?.subarray(2)).toEqual(wire('hex 00 00 00 06 01 03 00 01 00 01'));
  expect(second?.subarray(0, 2)).not.toEqual(first?.subarray(0, 2));
});

const options = { framing: 'tcp', divide: 10, output_divide: 10 };

test('reads over Modbus TCP, passes over late replies, and tells exceptions', async ({ onTestFinished }) => {
  const server = await ModbusServer.start(onTestFinished);
  for (const [register, value] of [6524, 6500, 455].entries()) server.registers.set(register + 1, value);
  const stale = (answer: Uint8Array) => {
    const other = Uint8Array.from(answer);
    const number = (((other[0] as number) << 8) | (other[1] as number)) - 1;
    other.set([(number >> 8) & 0xff, number & 0xff, 0, 0]);
    // Another number in the first register.
    other[9] = 0x01;
    return other;
  };
  server.answering = (_question, answer) => [stale(answer), answer];
  const rig = await startRig(
    onTestFinished,
    { instrument: 'eurotherm-modbus', options, talk: [], timeoutMs: 5000 },
    { port: server.url },
  );
  await rig.sink.until(() => rig.sink.values('process value').length >= 10);
  server.registers.delete(3);
  await rig.sink.until(() => rig.sink.refusals.length > 0);
  await rig.stop();
  expect(new Set(rig.sink.values('process value'))).toEqual(new Set([652.4]));
  expect(new Set(rig.sink.values('output'))).toEqual(new Set([45.5]));
  expect(rig.sink.refusals[0]?.reason).toBe('exception 2: it has no such register');
});

test('takes no value from a TCP frame that is cut, of another unit, or of another protocol', async ({
  onTestFinished,
}) => {
  const change = (bytes: Uint8Array, at: number, value: number) =>
    Uint8Array.from(bytes, (byte, index) => (index === at ? value : byte));
  let asked = 0;
  const faults: ((answer: Uint8Array) => Uint8Array[])[] = [
    (answer) => [answer],
    (answer) => [change(change(answer, 6, 2), 10, 0)],
    (answer) => [change(change(answer, 3, 1), 10, 0)],
    (answer) => [change(answer, 8, 4)],
    (answer) => [answer.subarray(0, 11)],
    () => [],
  ];
  const makePort = (clock: VirtualClock) => {
    const unit = new PlayedModbus(clock);
    for (const [register, value] of [6524, 6500, 455].entries()) unit.registers.set(register + 1, value);
    unit.answering = (_question, answer) => faults[asked++ % faults.length]?.(answer) ?? [];
    return unit;
  };
  const rig = await startPlayedRig(onTestFinished, {
    ...{ instrument: 'eurotherm-modbus', options, talk: [], timeoutMs: 150 },
    makePort,
  });
  await rig.until(() => asked > 30 && rig.sink.values('process value').length >= 3);
  await rig.stop();
  expect(new Set(rig.sink.values('process value'))).toEqual(new Set([652.4]));
});

test('gives a number from a register no unit until somebody said where its point is', async ({ onTestFinished }) => {
  const server = await ModbusServer.start(onTestFinished);
  for (const [register, value] of [6524, 6500, 455].entries()) server.registers.set(register + 1, value);
  const unset = { framing: 'tcp' };
  const rig = await startRig(
    onTestFinished,
    { instrument: 'eurotherm-modbus', options: unset, talk: [], timeoutMs: 5000 },
    { port: server.url },
  );
  await rig.sink.until(() => rig.sink.values('output').length > 0);
  expect(rig.sink.values('process value')[0]).toBe(6524);
  expect([...rig.sink.declared.values()].map(({ unit }) => unit)).toEqual(['', '', '']);
});
