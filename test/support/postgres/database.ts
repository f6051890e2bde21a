import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Ask a database one statement, past the service. */
export async function inDatabase(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Make an empty database in a cluster. Takes the address of another one in it. Returns its address. */
export async function makeDatabase(beside: string): Promise<string> {
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  await inDatabase(beside, `CREATE DATABASE ${name}`);
  const url = new URL(beside);
  url.pathname = `/${name}`;
  return url.href;
}
