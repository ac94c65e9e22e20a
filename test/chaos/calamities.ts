import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoProgram } from '../mongo-server.ts';
import type { RedisServer } from '../redis-server.ts';
import type { Trouble } from './checks.ts';
import type { ServiceProcess } from './cluster.ts';

/** What is done to the parts of the service, one thing at a time. */
export interface Calamities {
  readonly troubles: readonly Trouble[];
  readonly kills: number;
  /** What was done when, in seconds. */
  readonly events: readonly string[];
  /** Kills processes in turn, each as soon as the one before is back, at least `atLeast` of them. */
  killInTurn(atLeast: number, isEnough: () => boolean): Promise<void>;
  /** Kills all processes at once, as a machine does that loses its power. */
  killAll(): Promise<void>;
  /** Kills Redis; it comes back having forgotten everything. */
  loseRedis(server: RedisServer): Promise<void>;
  /** Lets Redis take calls and not answer them for some seconds. */
  freezeRedis(server: RedisServer): Promise<void>;
  /** Kills MongoDB; it comes back with every write that it acknowledged. */
  loseMongo(program: MongoProgram): Promise<void>;
  /** Lets MongoDB take calls and not answer them for some seconds. */
  freezeMongo(program: MongoProgram): Promise<void>;
}

const betweenKillsMs = 500;
const awayMs = 1_000;
/** Longer than a command of a request may take. */
const redisStandsMs = 3_000;
/** Longer than an operation may take. */
const mongoStandsMs = 9_000;
/** What hung may come to its end that much later. */
const hangsOnMs = 10_000;

export function createCalamities(processes: readonly ServiceProcess[]): Calamities {
  const startedMs = Date.now();
  const troubles: Trouble[] = [];
  const events: string[] = [];
  let kills = 0;

  function note(what: string): void {
    events.push(`${((Date.now() - startedMs) / 1_000).toFixed(1)} ${what}`);
  }

  async function kill(victim: ServiceProcess): Promise<void> {
    const { incarnation } = victim;
    const fromMs = Date.now();
    kills += 1;
    await victim.kill();
    troubles.push({ incarnation, fromMs, untilMs: Date.now() });
    note(`${incarnation} killed`);
  }

  async function withoutMongo(work: () => Promise<void>): Promise<void> {
    const fromMs = Date.now();
    await work();
    troubles.push({ incarnation: undefined, fromMs, untilMs: Date.now() + hangsOnMs });
  }

  return {
    troubles,
    events,
    get kills() {
      return kills;
    },

    async killInTurn(atLeast, isEnough) {
      for (let count = 0; count < atLeast || !isEnough(); count += 1) {
        const victim = processes[kills % processes.length];
        if (victim === undefined) return;
        await kill(victim);
        await victim.start();
        await sleep(betweenKillsMs);
      }
    },

    async killAll() {
      await Promise.all(processes.map(kill));
      await Promise.all(processes.map((each) => each.start()));
    },

    async loseRedis(server) {
      await server.kill();
      note('Redis killed');
      await sleep(awayMs);
      await server.restart();
      note('Redis back, empty');
    },

    async freezeRedis(server) {
      server.freeze();
      note('Redis stands still');
      await sleep(redisStandsMs);
      server.thaw();
      note('Redis goes on');
    },

    loseMongo: (program) =>
      withoutMongo(async () => {
        await program.kill();
        note('MongoDB killed');
        await sleep(awayMs);
        await program.restart();
        note('MongoDB back');
      }),

    freezeMongo: (program) =>
      withoutMongo(async () => {
        program.pause();
        note('MongoDB stands still');
        await sleep(mongoStandsMs);
        program.resume();
        note('MongoDB goes on');
      }),
  };
}
