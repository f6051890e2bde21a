// Parquet of a growth, read back by another implementation: that of Rust. Debian 12 has none for Python.
import { test } from 'vitest';
import { expectSameInRust } from '../../support/rigs/export-reading.ts';

test('Rust reads each value, unit and instant of a growth back from Parquet, and its gaps from the metadata', () =>
  expectSameInRust({ seconds: 2400, channels: 24, gaps: 20 }));
