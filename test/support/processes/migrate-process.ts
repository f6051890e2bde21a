// Brings the queue that it is given forward by two steps, and says the number of each version once the file has it.
import { writeSync } from 'node:fs';
import { connectDatabase } from '../../../src-main/queue/store/database/database.ts';
import { laterMigrations, nextMigrations } from '../rigs/later-queue.ts';

const database = connectDatabase(process.argv[2] ?? '');
for (const migrations of [nextMigrations, laterMigrations]) writeSync(1, `${migrations.migrate(database)}\n`);
database.close();
