import fc from 'fast-check';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { describeWithMongo } from '../mongo-server.ts';
import { describeWithRedis } from '../redis-server.ts';
import { createMongoReader } from './mongo-requests.ts';
import { createRedisReader } from './redis-requests.ts';
import { startRelay } from './relay.ts';
import type { RequestReader } from './request-reader.ts';

/** Cuts bytes at the given places and tells what a reader makes of the pieces. */
function readInPieces(
  createReader: (onRequest: (name: string) => void) => RequestReader,
  bytes: Buffer,
  cuts: readonly number[],
): string[] {
  const names: string[] = [];
  const read = createReader((name) => names.push(name));
  const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
  for (const [index, from] of places.entries()) read(bytes.subarray(from, places[index + 1]));
  return names;
}

const redisRequests = Buffer.from(
  '*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\n*3\r\n$3\r\nset\r\n$2\r\n\r\n\r\n$6\r\n*1\r\n$4\r\n',
);

/** A message of one document with one field that is true. */
function mongoMessage(opCode: 2004 | 2013, name: string): Buffer {
  const field = Buffer.concat([Buffer.from([8]), Buffer.from(`${name}\0`), Buffer.from([1])]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(field.length + 5);
  const document = Buffer.concat([length, field, Buffer.from([0])]);
  const before =
    opCode === 2013
      ? Buffer.alloc(5)
      : Buffer.concat([Buffer.alloc(4), Buffer.from('admin.$cmd\0'), Buffer.alloc(8)]);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + before.length + document.length, 0);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, before, document]);
}

const mongoRequests = Buffer.concat([
  mongoMessage(2004, 'isMaster'),
  mongoMessage(2013, 'find'),
  mongoMessage(2013, 'aggregate'),
]);

describe('what a relay reads', () => {
  test.for([
    ['Redis', createRedisReader, redisRequests, ['get', 'ping', 'set']],
    ['MongoDB', createMongoReader, mongoRequests, ['ismaster', 'find', 'aggregate']],
  ] as const)('are the requests to %s, however they are cut', ([, createReader, bytes, names]) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
        expect(readInPieces(createReader, bytes, cuts)).toEqual(names);
      }),
    );
  });
});

describeWithRedis('a relay to Redis', (server) => {
  test('tells exactly the commands that were sent, in a pipeline too', async () => {
    const relay = await startRelay(server().url);
    const client = new Redis(relay.url);
    try {
      await client.ping();
      relay.take();
      await client.set('a', 'x'.repeat(300_000));
      expect(await client.get('a')).toHaveLength(300_000);
      await client.pipeline().incr('n').incr('n').get('n').exec();
      await Promise.all(Array.from({ length: 5 }, () => client.get('a')));
      expect(relay.take()).toEqual(['set', 'get', 'incr', 'incr', 'get', ...Array(5).fill('get')]);
      expect(relay.take()).toEqual([]);
    } finally {
      client.disconnect();
      await relay.stop();
    }
  });
});

describeWithMongo('a relay to MongoDB', (server) => {
  test('tells exactly the commands that were sent, and nothing of what the driver does for itself', async () => {
    const relay = await startRelay(server().url);
    const client = new MongoClient(relay.url, { heartbeatFrequencyMS: 500 });
    try {
      const collection = client.db('relay').collection<{ _id: number; text: string }>('things');
      await collection.deleteMany({});
      relay.take();
      await collection.insertMany(
        Array.from({ length: 250 }, (_, _id) => ({ _id, text: 'x'.repeat(1_000) })),
      );
      await collection.updateOne({ _id: 1 }, { $set: { text: 'y' } });
      expect(await collection.find({}, { batchSize: 100 }).toArray()).toHaveLength(250);
      await Promise.all(
        Array.from({ length: 5 }, () => collection.aggregate([{ $match: { _id: 1 } }]).next()),
      );
      const seen = relay.take();
      const parallel = seen.slice(5);
      expect(seen.slice(0, 5)).toEqual(['insert', 'update', 'find', 'getmore', 'getmore']);
      expect(parallel).toEqual(Array(5).fill('aggregate'));
    } finally {
      await client.close();
      await relay.stop();
    }
  });
});
