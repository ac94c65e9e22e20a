import { isIP } from 'node:net';

/** Every setting that is wrong, so that an operator corrects them in one go. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads settings from text and collects what is wrong with them. An empty value counts as none. */
export interface ConfigReader {
  text(name: string): string | null;
  integer(name: string, fallback: number, min: number, max: number): number;
  oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice;
  list(name: string): readonly string[];
  /** An absolute URL of one of the protocols, without a slash at its end. */
  url(name: string, protocols: readonly string[]): string | null;
  /** 32 bytes in base64 or base64url. */
  key(name: string): Uint8Array | null;
  /** Addresses and CIDR blocks. */
  networks(name: string): readonly string[];
  problem(text: string): void;
  /** @throws ConfigError when anything was wrong. */
  finish(): void;
}

export function createConfigReader(env: Readonly<Record<string, string | undefined>>): ConfigReader {
  const problems: string[] = [];

  function text(name: string): string | null {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  function list(name: string): readonly string[] {
    const items = (text(name) ?? '').split(',');
    return items.map((item) => item.trim()).filter((item) => item !== '');
  }

  return {
    text,
    list,

    integer(name, fallback, min, max) {
      const value = text(name);
      if (value === null) return fallback;
      const number = Number(value);
      if (/^\d{1,15}$/.test(value) && number >= min && number <= max) return number;
      problems.push(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(value)}`);
      return fallback;
    },

    oneOf(name, choices, fallback) {
      const value = text(name);
      if (value === null) return fallback;
      const choice = choices.find((candidate) => candidate === value);
      if (choice === undefined) {
        problems.push(`${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(value)}`);
      }
      return choice ?? fallback;
    },

    url(name, protocols) {
      const value = text(name);
      if (value === null) return null;
      const protocol = /^([a-z+]+):\/\/\S+$/.exec(value)?.[1];
      // A URL of several hosts, as MongoDB takes it, is none to the WHATWG parser.
      const isWellFormed = protocol?.startsWith('http') === true ? URL.canParse(value) : true;
      // The value itself may hold a password and is not repeated.
      if (protocol === undefined || !protocols.includes(protocol) || !isWellFormed) {
        problems.push(`${name} must be an absolute URL that begins with ${protocols.join(':// or ')}://`);
      }
      return value.replace(/\/+$/, '');
    },

    key(name) {
      const value = text(name);
      if (value === null) return null;
      const bytes = Buffer.from(value, 'base64');
      if (/^[0-9A-Za-z+/_-]+={0,2}$/.test(value) && bytes.length === 32) return new Uint8Array(bytes);
      problems.push(`${name} must be 32 bytes in base64 (openssl rand -base64 32)`);
      return null;
    },

    networks(name) {
      const networks = list(name);
      for (const network of networks) {
        if (!isNetwork(network)) {
          problems.push(`${name} must hold addresses or CIDR blocks, not ${JSON.stringify(network)}`);
        }
      }
      return networks;
    },

    problem: (problem) => void problems.push(problem),

    finish() {
      if (problems.length > 0) throw new ConfigError(problems);
    },
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
